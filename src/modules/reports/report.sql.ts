import type { Db } from '../../platform/db.ts';
import { prepare } from '../../platform/statement.ts';
import { SUM_COLUMNS } from './facts.sql.ts';
import type { Grain, Interval } from './interval.ts';

const SUMS = SUM_COLUMNS.map((column) => `sum(b.${column})::float8 AS ${column}`).join(', ');

/** The line of a bucket. Postgres knows the time zones and their changes. */
export const LINE = `CASE
      WHEN @interval::text IS NULL THEN @from::timestamptz
      WHEN @interval = 'quarter_hour' THEN b.starts_at
      ELSE date_trunc(@interval, b.starts_at, @timeZone) END AS starts_at,
    CASE WHEN @isGrouped::boolean THEN b.value END AS value, b.currency`;

/** The buckets of one dimension. */
export const CHOSEN = `b.merchant_account_id = @account AND b.dimension = @dimension AND b.grain = @grain
    AND b.starts_at >= @from AND b.starts_at < @to
    AND (@values::text[] IS NULL OR b.value = ANY (@values))
    AND (@currencies::text[] IS NULL OR b.currency = ANY (@currencies))`;

const statement = prepare(
  'report_rows',
  `SELECT ${LINE}, ${SUMS}
  FROM report_bucket b
  WHERE ${CHOSEN}
  GROUP BY 1, 2, 3 ORDER BY 1, 3, 2 LIMIT @limit`,
);

export type Asked = {
  readonly account: string;
  readonly dimension: string;
  readonly grain: Grain;
  readonly from: Date;
  readonly to: Date;
  readonly interval: Interval | null;
  readonly timeZone: string;
  /** True to give each value of the dimension rows of its own. */
  readonly isGrouped: boolean;
  readonly values: readonly string[] | null;
  readonly currencies: readonly string[] | null;
  readonly limit: number;
};

/** A row of sums, by the names of the columns. */
export type ReportRow = {
  readonly starts_at: Date;
  readonly value: string | null;
  readonly currency: string;
} & Readonly<Record<string, unknown>>;

/** Reads the sums of a report by interval, currency and value. Sums beyond 2^53 lose their last digits. */
export const readReport = (db: Db, asked: Asked): Promise<readonly ReportRow[]> =>
  db.query<ReportRow>(statement(asked));

const uncounted = prepare(
  'report_uncounted',
  `SELECT min(created_at) AS created_at FROM report_pending WHERE merchant_account_id = @account`,
);

/** Returns the moment of the oldest fact of the account that no sum has yet. Null when the sums have all facts. */
export async function readOldestUncounted(db: Db, account: string): Promise<Date | null> {
  const [row] = await db.query<{ created_at: Date | null }>(uncounted({ account }));
  return row?.created_at ?? null;
}
