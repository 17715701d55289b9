import type { App, Viewer } from '../../app.ts';
import { invalidInput, type InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { parseInput } from '../../platform/validate.ts';
import { readAsOf } from './as-of.ts';
import { coverStretch } from './cover.ts';
import { filteredBy, reportInput } from './input.ts';
import { splitPeriod, type Span } from './interval.ts';
import { WHOLE, type Measure, type Sum } from './measures.ts';
import { readReport, sumIn, type Asked, type ReportRow } from './report.sql.ts';
import { readSpreads, type Spread, type SpreadRow } from './spread.sql.ts';

/** The sums of one interval, one currency and one value of the dimension. */
export type ReportLine = {
  readonly startsAt: Date;
  /** Null without a dimension. Empty for payments without a value. */
  readonly value: string | null;
  readonly currency: string;
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
 * cost does not depend on the number of payments. Refuses what `reportInput` refuses, and more than LINES_MAX lines.
 */
export async function reportTransactions(
  app: App,
  { merchantAccountId: account }: Viewer,
  given: unknown,
): Promise<Result<TransactionReport, InvalidInput>> {
  const parsed = parseInput(reportInput, given);
  if (!parsed.ok) return parsed;
  const { from, to, interval, timeZone, groupBy, filter } = parsed.value;
  const dimension = groupBy ?? filteredBy(filter)[0] ?? null;
  const asOf = await readAsOf(app, account);
  const spans = splitPeriod({ from, to }, interval, timeZone);
  const asked: Asked = {
    ...{ account, dimension: dimension ?? WHOLE, ...runsOf(spans) },
    isGrouped: groupBy !== null,
    values: dimension && filter[dimension],
    ...{ currencies: filter.currency, limit: LINES_MAX + 1 },
  };
  const rows = await readReport(app.readDb, asked);
  if (rows.length > LINES_MAX)
    return refuse(
      invalidInput(['interval'], `Gives more than ${LINES_MAX} rows. Choose a longer interval, or a filter.`),
    );
  const spreads = spreadsOf(app, asked);
  const startOf = ([span]: ReportRow): Date => spans[span]?.startsAt ?? from;
  return ok({ asOf, lines: rows.map((row) => toLine(row, startOf(row), spreads)) });
}

/** Returns the buckets that have the intervals of a report. */
function runsOf(spans: readonly Span[]): Pick<Asked, 'spans' | 'grains' | 'froms' | 'tos'> {
  const runs = spans.flatMap(({ parts }, span) =>
    parts.flatMap((part) => coverStretch(part).map((run) => ({ span, ...run }))),
  );
  return {
    spans: runs.map(({ span }) => span),
    grains: runs.map(({ grain }) => grain),
    froms: runs.map(({ from }) => new Date(from)),
    tos: runs.map(({ to }) => new Date(to)),
  };
}

type Spreads = (row: ReportRow, kind: SpreadRow['kind']) => Promise<Spread | null>;

const keyOf = (span: number, value: string | null, currency: string, kind: string): string =>
  JSON.stringify([span, value, currency, kind]);

/** Reads the histograms at the first call alone, because most reports do not ask for them. */
function spreadsOf(app: App, asked: Asked): Spreads {
  const read = async (): Promise<ReadonlyMap<string, Spread>> => {
    const rows = await readSpreads(app.readDb, asked);
    return new Map(rows.map((row) => [keyOf(row.span, row.value, row.currency, row.kind), row]));
  };
  let reading: ReturnType<typeof read> | null = null;
  return async ([span, value, currency], kind) => {
    reading ??= read();
    return (await reading).get(keyOf(span, value, currency, kind)) ?? null;
  };
}

const toLine = (row: ReportRow, startsAt: Date, spreads: Spreads): ReportLine => ({
  ...{ startsAt, value: row[1], currency: row[2] },
  // Most reports ask for a few of the sums.
  sum: (measure) => sumIn(row, measure),
  spread: (kind) => spreads(row, kind),
});
