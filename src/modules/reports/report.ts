import type { App, Viewer } from '../../app.ts';
import { invalidInput, type InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { parseInput } from '../../platform/input/validate.ts';
import { readAsOf } from './as-of.ts';
import { bucketsOf, rangeOf, type Buckets, type Range } from './buckets.ts';
import { filteredBy, reportInput } from './input.ts';
import { splitPeriod, type Span } from './interval.ts';
import { WHOLE, type Measure, type MeasureSet, type Sum } from './measures.ts';
import { readReport, sumIn, type Asked, type ReportRow } from './report.sql.ts';
import { readSpreads, type Spread, type SpreadRow } from './spread.sql.ts';

/** The sums of one interval, one currency and one value of the dimension. */
export type ReportLine = {
  readonly startsAt: Date;
  /** Null without a dimension. Empty for payments without a value. */
  readonly value: string | null;
  readonly currency: string;
  /** Throws for a measure outside the set that the report was asked for. */
  readonly sum: (measure: Measure) => Sum;
  /**
   * Reads the spread of authorised amounts, or of answer times in milliseconds. Null without any. The first call reads those of
   * all lines of the report.
   */
  readonly spread: (kind: SpreadRow['kind']) => Promise<Spread | null>;
};

export type TransactionReport = {
  /** The sums have every entry that was committed before this moment. */
  readonly asOf: Date;
  readonly lines: readonly ReportLine[];
};

/** The most lines of one report. */
const LINES_MAX = 10_000;

/**
 * Returns sums of payments by interval and currency, and by one dimension if asked. The sums are read from buckets, so the
 * cost does not depend on the number of payments. A smaller set of measures costs less. Refuses what `reportInput` refuses, and
 * more than LINES_MAX lines.
 */
export async function reportTransactions(
  app: App,
  { merchantAccountId: account }: Viewer,
  given: unknown,
  set: MeasureSet = 'all',
): Promise<Result<TransactionReport, InvalidInput>> {
  const parsed = parseInput(reportInput, given);
  if (!parsed.ok) return parsed;
  const { from, to, interval, timeZone, groupBy, filter } = parsed.value;
  const dimension = groupBy ?? filteredBy(filter)[0] ?? null;
  const asOf = await readAsOf(app, account);
  const spans = splitPeriod({ from, to }, interval, timeZone);
  const asked: Asked = {
    ...{ account, dimension: dimension ?? WHOLE, isGrouped: groupBy !== null },
    values: dimension && filter[dimension],
    ...{ currencies: filter.currency, limit: LINES_MAX + 1 },
  };
  const rows = await readReport(app.readDb, asked, timeOf(spans, asked), set);
  if (rows.length > LINES_MAX)
    return refuse(
      invalidInput(['interval'], `Gives more than ${LINES_MAX} rows. Choose a longer interval, or a filter.`),
    );
  const spreads = spreadsOf(app, asked, spans);
  const startOf = ([span]: ReportRow): Date => spans[span]?.startsAt ?? from;
  return ok({ asOf, lines: rows.map((row) => toLine(row, startOf(row), set, spreads)) });
}

/** Chooses how the buckets are read. A sum over several values of a dimension is no range. */
const timeOf = (spans: readonly Span[], { isGrouped, dimension }: Asked): Buckets | Range =>
  (isGrouped || dimension === WHOLE ? rangeOf(spans) : null) ?? bucketsOf(spans);

type Spreads = (row: ReportRow, kind: SpreadRow['kind']) => Promise<Spread | null>;

const keyOf = (span: number, value: string | null, currency: string, kind: string): string =>
  JSON.stringify([span, value, currency, kind]);

/** Reads the histograms at the first call alone, because most reports do not ask for them. */
function spreadsOf(app: App, asked: Asked, spans: readonly Span[]): Spreads {
  const read = async (): Promise<ReadonlyMap<string, Spread>> => {
    const rows = await readSpreads(app.readDb, asked, bucketsOf(spans));
    return new Map(rows.map((row) => [keyOf(row.span, row.value, row.currency, row.kind), row]));
  };
  let reading: ReturnType<typeof read> | null = null;
  return async ([span, value, currency], kind) => {
    reading ??= read();
    return (await reading).get(keyOf(span, value, currency, kind)) ?? null;
  };
}

const toLine = (row: ReportRow, startsAt: Date, set: MeasureSet, spreads: Spreads): ReportLine => ({
  ...{ startsAt, value: row[1], currency: row[2] },
  // Most reports ask for a few of the sums.
  sum: (measure) => sumIn(row, measure, set),
  spread: (kind) => spreads(row, kind),
});
