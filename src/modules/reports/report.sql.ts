import type { Db } from '../../platform/db.ts';
import { prepare } from '../../platform/statement.ts';
import type { Grain } from './cover.ts';
import { SUM_COLUMNS } from './facts.sql.ts';
import { MEASURES, type Measure, type Sum } from './measures.ts';

const SUMS = SUM_COLUMNS.map((column) => `sum(b.${column})::bigint AS ${column}`).join(', ');

/** The columns that name a row of a report. */
export const LINE = `r.span, CASE WHEN @isGrouped::boolean THEN b.value END AS value, b.currency`;

/**
 * Returns the buckets of a table in the runs of a report, as `r` and `b`. OFFSET makes Postgres look each run up in the index,
 * whatever it expects of the table.
 */
export const chosenFrom = (table: string): string => `
  unnest(@spans::int[], @grains::text[], @froms::timestamptz[], @tos::timestamptz[]) AS r (span, grain, starts_at, ends_at)
  CROSS JOIN LATERAL (
    SELECT * FROM ${table} b
    WHERE b.merchant_account_id = @account AND b.dimension = @dimension AND b.grain = r.grain
      AND b.starts_at >= r.starts_at AND b.starts_at < r.ends_at
      AND (@values::text[] IS NULL OR b.value = ANY (@values))
      AND (@currencies::text[] IS NULL OR b.currency = ANY (@currencies))
    OFFSET 0) b`;

const statement = prepare(
  'report_rows',
  `SELECT ${LINE}, ${SUMS}
  FROM ${chosenFrom('report_bucket')}
  GROUP BY 1, 2, 3 ORDER BY 1, 3, 2 LIMIT @limit`,
);

export type Asked = {
  readonly account: string;
  readonly dimension: string;
  /** The runs of buckets, by their places: the number of the interval, the grain, the start and the end. */
  readonly spans: readonly number[];
  readonly grains: readonly Grain[];
  readonly froms: readonly Date[];
  readonly tos: readonly Date[];
  /** True to give each value of the dimension rows of its own. */
  readonly isGrouped: boolean;
  readonly values: readonly string[] | null;
  readonly currencies: readonly string[] | null;
  readonly limit: number;
};

/** The number of the interval, the value, the currency, and the sums in the order of SUM_COLUMNS. */
export type ReportRow = readonly [number, string | null, string, ...(readonly string[])];

/** Reads the sums of a report by interval, currency and value. An array costs less than an object of so many columns. */
export const readReport = (db: Db, asked: Asked): Promise<readonly ReportRow[]> =>
  db.query<ReportRow>({ ...statement(asked), asArrays: true });

/** Returns the sum of a measure. A sum beyond 2^53 loses its last digits. */
export function sumIn(row: ReportRow, measure: Measure): Sum {
  const at = OFFSET + 2 * MEASURES.indexOf(measure);
  return { count: Number(row[at]), amount: Number(row[at + 1]) };
}

/** The columns before the sums. */
const OFFSET = 3;

const uncounted = prepare(
  'report_uncounted',
  `SELECT min(created_at) AS created_at FROM report_pending WHERE merchant_account_id = @account`,
);

/** Returns the moment of the oldest fact of the account that no sum has yet. Null when the sums have all facts. */
export async function readOldestUncounted(db: Db, account: string): Promise<Date | null> {
  const [row] = await db.query<{ created_at: Date | null }>(uncounted({ account }));
  return row?.created_at ?? null;
}
