export { countFetchFailures } from './fetch/count-failures.sql.ts';
export { explainSettlementDifference } from './explain.ts';
export { fetchDueSettlements, startSettlementFetcher } from './fetch/fetcher.ts';
export type { SettlementSource } from './fetch/source.ts';
export { settlementFilter } from './filter.ts';
export { findSettlements, findSettlementsOf, findSettlementSources, findSettlementTotals } from './find.ts';
export { listPayouts, listSettlementDifferences, listSettlements } from './list.ts';
export type { Settlement, SettlementTotal } from './settlement.ts';
export { claimLines, rematchSettlementsOf, releaseLine, type SettlementLine } from './tell/lines.sql.ts';
