import type {
  ReportDimension,
  ReportInterval,
  TransactionReportRow,
} from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';
import { api } from '../../app/data/api.ts';
import type { Clock } from './clock.ts';
import { SPANS, spansOf, type Span, type SpanName } from './span.ts';

const SUM = { count: true, amount: true } as const;

const ROW = {
  ...{ startsAt: true, value: true, currency: true },
  ...{ created: SUM, authorized: SUM, declined: SUM, failed: SUM, captured: SUM, refunded: SUM },
  disputeLost: SUM,
} as const;

/** The sums of one interval, one currency and one value. */
export type Row = Answer<TransactionReportRow, typeof ROW>;

type Split = {
  /** The IANA name of the zone of days. */
  readonly timeZone: string;
  readonly interval?: ReportInterval;
  readonly groupBy?: ReportDimension;
};

/** Reads the sums of a span. */
export async function readRows(
  { from, to }: Span,
  split: Split,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const span = { from: from.toISOString(), to: to.toISOString() };
  const { transactionReport } = await api.query(
    { transactionReport: [{ ...span, ...split }, { rows: ROW }] },
    { signal },
  );
  return transactionReport.rows;
}

/** The names of payment services and the meanings of codes. */
async function readNames(signal: AbortSignal) {
  return await api.query(
    {
      declineCodes: { code: true, description: true },
      paymentServices: [{ first: 100 }, { nodes: { id: true, displayName: true } }],
    },
    { signal },
  );
}

/** Reads everything of the home page, for a span up to now beside the span before. The days are those of the clock. */
export async function readHome(name: SpanName, clock: Clock, signal: AbortSignal) {
  const { span, before } = spansOf(name, new Date(), clock);
  const timeZone = clock.zone;
  const { interval } = SPANS[name];
  const [now, past, reasons, services, names] = await Promise.all([
    readRows(span, { timeZone, interval }, signal),
    readRows(before, { timeZone, interval }, signal),
    readRows(span, { timeZone, groupBy: 'DECLINE_CODE' }, signal),
    readRows(span, { timeZone, groupBy: 'PAYMENT_SERVICE' }, signal),
    readNames(signal),
  ]);
  return { ...{ clock, span, before, interval, now, past, reasons, services }, ...names };
}

/** Everything of the home page. */
export type HomeData = Awaited<ReturnType<typeof readHome>>;
