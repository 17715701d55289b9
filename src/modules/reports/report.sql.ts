import type { Db } from '../../platform/database/db.ts';
import { prepare, prepareFile } from '../../platform/database/statement.ts';
import { STARTS, type Buckets, type Range } from './buckets.ts';
import { GRAINS, type Grain } from './cover.ts';
import { MEASURES, MEASURE_SETS, sumColumnsOf, type Measure, type MeasureSet, type Sum } from './measures.ts';

const VALUE = 'CASE WHEN @isGrouped::boolean THEN b.value END AS value';

/** The columns that name a row of a report. */
export const LINE = `r.span, ${VALUE}, b.currency`;

/** The condition that a report has chosen the bucket `b` by its value and its currency. */
const IS_CHOSEN = `(@values::text[] IS NULL OR b.value = ANY (@values))
      AND (@currencies::text[] IS NULL OR b.currency = ANY (@currencies))`;

/**
 * Returns the buckets of a table that a report has chosen as `b`, and each of their uses as `r`. One scan of the index reads all
 * buckets of a grain. A binary search finds the place of a bucket, whatever Postgres expects of the table.
 */
export const chosenFrom = (table: string): string => `
  (${GRAINS.map(({ grain }, at) => scanOf(table, grain, at + 1)).join('\n    UNION ALL')}) b
  CROSS JOIN LATERAL unnest(${usesIn('spans')}, ${usesIn('signs')}) AS r (span, sign)`;

const usesIn = (array: string): string =>
  `(@${array}::int[])[(@firsts::int[])[b.place]:(@firsts::int[])[b.place + 1] - 1]`;

const scanOf = (table: string, grain: Grain, number: number): string => `
    SELECT b.*, (@before::int[])[${number}] + width_bucket(b.starts_at, @${STARTS[grain]}::timestamptz[]) AS place
    FROM ${table} b
    WHERE b.merchant_account_id = @account AND b.dimension = @dimension AND b.grain = '${grain}'
      AND b.starts_at = ANY (@${STARTS[grain]}::timestamptz[]) AND ${IS_CHOSEN}`;

const columnsOf = (set: MeasureSet, read: (column: string) => string): string =>
  sumColumnsOf(MEASURE_SETS[set])
    // Text costs less than a bigint, which pg checks by an expression.
    .map((column) => `${read(column)}::text AS ${column}`)
    .join(', ');

const summed = (column: string): string => `sum(r.sign * b.${column})`;

/**
 * The condition that a line has facts. Buckets that reach beyond an interval bring lines whose facts are all taken away again. A
 * fact without a count is an increase or the later win of a dispute.
 */
const HAS_FACTS = [
  `sum(r.sign * (${MEASURES.map((measure) => `b.${measure}_count`).join(' + ')}))`,
  ...[summed('authorized_amount'), summed('dispute_lost_amount')],
]
  .map((sum) => `${sum} <> 0`)
  .join(' OR ');

// OFFSET makes Postgres sort the sums of the lines alone, instead of all uses of buckets.
const readerOf = (set: MeasureSet) => ({
  buckets: prepare<Asked & Buckets>(
    `report_rows_${set}`,
    `SELECT * FROM (
    SELECT ${LINE}, ${columnsOf(set, summed)}
    FROM ${chosenFrom('report_bucket')}
    GROUP BY 1, 2, 3 HAVING ${HAS_FACTS} OFFSET 0) AS line
  ORDER BY 1, 3, 2 LIMIT @limit`,
  ),
  range: prepare<Asked & Range>(
    `report_range_${set}`,
    `SELECT ((date_part('epoch', b.starts_at) - @first::float8) / @seconds::float8)::int AS span,
    ${VALUE}, b.currency, ${columnsOf(set, (column) => `b.${column}`)}
  FROM report_bucket b
  WHERE b.merchant_account_id = @account AND b.dimension = @dimension AND b.grain = @grain
    AND b.starts_at >= @from AND b.starts_at < @to
    AND ${IS_CHOSEN}
  ORDER BY b.starts_at, b.currency, b.value LIMIT @limit`,
  ),
});

const statements = {
  money: readerOf('money'),
  usual: readerOf('usual'),
  ordinary: readerOf('ordinary'),
  all: readerOf('all'),
} as const;

export type Asked = {
  readonly account: string;
  readonly dimension: string;
  /** True to give each value of the dimension rows of its own. */
  readonly isGrouped: boolean;
  readonly values: readonly string[] | null;
  readonly currencies: readonly string[] | null;
  readonly limit: number;
};

/** The number of the interval, the value, the currency, and the sums in the order of the set. */
export type ReportRow = readonly [number, string | null, string, ...(readonly string[])];

/** Reads the sums of a report by interval, currency and value. An array costs less than an object of so many columns. */
export function readReport(
  db: Db,
  asked: Asked,
  time: Buckets | Range,
  set: MeasureSet,
): Promise<readonly ReportRow[]> {
  const { buckets, range } = statements[set];
  const statement = 'spans' in time ? buckets({ ...asked, ...time }) : range({ ...asked, ...time });
  return db.query<ReportRow>({ ...statement, asArrays: true });
}

/** Returns the sum of a measure of the set. A sum beyond 2^53 loses its last digits. Throws for a measure outside the set. */
export function sumIn(row: ReportRow, measure: Measure, set: MeasureSet): Sum {
  const measures: readonly Measure[] = MEASURE_SETS[set];
  const place = measures.indexOf(measure);
  if (place === -1) throw new Error(`The report did not read ${measure}`);
  const at = OFFSET + 2 * place;
  return { count: Number(row[at]), amount: Number(row[at + 1]) };
}

/** The columns before the sums. */
const OFFSET = 3;

const uncounted = prepareFile(import.meta, 'report-uncounted.sql');

/**
 * Returns a moment before which the sums have every fact of the account. The oldest fact of any account without a sum
 * has the moment, because a backlog has no index by account. Null when the sums have all facts.
 */
export async function readOldestUncounted(db: Db, account: string): Promise<Date | null> {
  const [row] = await db.query<{ created_at: Date | null }>(uncounted({ account }));
  return row?.created_at ?? null;
}
