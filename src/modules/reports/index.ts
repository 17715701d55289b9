export { totalDeliveries, type DeliveryTotals } from './delivery-totals.ts';
export { INTERVALS, type Interval } from './interval.ts';
export {
  DIMENSIONS,
  MEASURE_SETS,
  type Dimension,
  type Measure,
  type MeasureSet,
  type Sum,
} from './measures.ts';
export { projectOnce, startReportProjector } from './projection/projector.ts';
export { reportTransactions, type ReportLine, type TransactionReport } from './report.ts';
export { type Percentiles, type Spread } from './spread.sql.ts';
export { findTopBuyers, type TopBuyer, type TopBuyers } from './top-buyers.ts';
export { readReportedAccounts } from './projection/rebuild.sql.ts';
export { DIFFERENCES_MAX, rebuildReports } from './projection/rebuild.ts';
