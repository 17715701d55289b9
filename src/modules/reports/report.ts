import type { App, Viewer } from '../../app.ts';
import { invalidInput, type InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { parseInput } from '../../platform/validate.ts';
import { filteredBy, reportInput } from './input.ts';
import { grainOf } from './interval.ts';
import { MEASURES, WHOLE, type Measure, type Sum } from './measures.ts';
import { readOldestUncounted, readReport, type Asked, type ReportRow } from './report.sql.ts';
import { readSpreads, type Spread, type SpreadRow } from './spread.sql.ts';

/** The sums of one interval, one currency and one value of the dimension. */
export type ReportLine = {
  readonly startsAt: Date;
  /** Null without a dimension. Empty for payments without a value. */
  readonly value: string | null;
  readonly currency: string;
  readonly sums: Readonly<Record<Measure, Sum>>;
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
  // The moment is read first. A fact that is counted meanwhile only makes the report newer.
  const now = app.clock.now();
  const oldest = await readOldestUncounted(app.readDb, account);
  const asked: Asked = {
    ...{ account, from, to, interval, timeZone, dimension: dimension ?? WHOLE },
    grain: grainOf({ from, to }, interval, timeZone),
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
  return ok({ asOf: oldest ?? now, lines: rows.map((row) => toLine(row, spreads)) });
}

type Spreads = (row: ReportRow, kind: SpreadRow['kind']) => Promise<Spread | null>;

const keyOf = ({ starts_at, value, currency }: ReportRow | SpreadRow, kind: string): string =>
  JSON.stringify([starts_at, value, currency, kind]);

/** Reads the histograms at the first call alone, because most reports do not ask for them. */
function spreadsOf(app: App, asked: Asked): Spreads {
  const read = async (): Promise<ReadonlyMap<string, Spread>> => {
    const rows = await readSpreads(app.readDb, asked);
    return new Map(rows.map((row) => [keyOf(row, row.kind), row]));
  };
  let reading: ReturnType<typeof read> | null = null;
  return async (row, kind) => {
    reading ??= read();
    return (await reading).get(keyOf(row, kind)) ?? null;
  };
}

const toLine = (row: ReportRow, spreads: Spreads): ReportLine => ({
  spread: (kind) => spreads(row, kind),
  startsAt: row.starts_at,
  value: row.value,
  currency: row.currency,
  sums: Object.fromEntries(
    MEASURES.map((measure) => [
      measure,
      { count: Number(row[`${measure}_count`]), amount: Number(row[`${measure}_amount`]) },
    ]),
  ) as Record<Measure, Sum>,
});
