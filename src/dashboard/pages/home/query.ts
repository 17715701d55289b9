import type { Answer } from '../../../client/operations/selection.ts';
import type {
  ReportDimension,
  ReportInterval,
  TransactionReportRow,
} from '../../../client/generated/schema.ts';
import { api } from '../../app/api.ts';
import { SPANS, spansOf, type Span, type SpanName } from './span.ts';

const SUM = { count: true, amount: true } as const;

const ROW = {
  ...{ startsAt: true, value: true, currency: true },
  ...{ created: SUM, authorized: SUM, declined: SUM, failed: SUM, captured: SUM, refunded: SUM },
  disputeLost: SUM,
} as const;

/** The sums of one interval, one currency and one value. */
export type Row = Answer<TransactionReportRow, typeof ROW>;

/** The zone of days, as the browser names it. */
export const timeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

type Split = { readonly interval?: ReportInterval; readonly groupBy?: ReportDimension };

/** Reads the sums of a span. */
export async function readRows(
  { from, to }: Span,
  split: Split,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const span = { from: from.toISOString(), to: to.toISOString(), timeZone: timeZone() };
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

/** Reads everything of the home page, for a span up to now beside the span before. */
export async function readHome(name: SpanName, signal: AbortSignal) {
  const { span, before } = spansOf(name, new Date());
  const { interval } = SPANS[name];
  const [now, past, reasons, services, names] = await Promise.all([
    readRows(span, { interval }, signal),
    readRows(before, { interval }, signal),
    readRows(span, { groupBy: 'DECLINE_CODE' }, signal),
    readRows(span, { groupBy: 'PAYMENT_SERVICE' }, signal),
    readNames(signal),
  ]);
  return { ...{ span, before, interval, now, past, reasons, services }, ...names };
}

/** Everything of the home page. */
export type HomeData = Awaited<ReturnType<typeof readHome>>;
