import type { Db } from '../../platform/database/db.ts';
import { prepare } from '../../platform/database/statement.ts';
import { SHARES } from './spread.sql.ts';

const countOf = (state: string): string => `count(*) FILTER (WHERE c.state = '${state}')::int`;

const statement = prepare(
  'report_deliveries',
  `WITH latest AS MATERIALIZED (
    SELECT * FROM delivery WHERE merchant_account_id = @account AND endpoint_id = @endpoint::uuid ORDER BY position DESC LIMIT @latest),
  chosen AS MATERIALIZED (SELECT * FROM latest WHERE @since::timestamptz IS NULL OR created_at >= @since),
  answered AS (
    SELECT percentile_disc(ARRAY[${Object.values(SHARES).join(', ')}]) WITHIN GROUP (ORDER BY a.duration_ms) AS times
    FROM chosen c CROSS JOIN LATERAL (
      SELECT b.duration_ms FROM delivery_attempt b
      WHERE b.merchant_account_id = c.merchant_account_id AND b.endpoint_id = c.endpoint_id AND b.position = c.position
      ORDER BY b.number DESC LIMIT 1) a
    WHERE c.state = 'done')
  SELECT ${countOf('done')} AS delivered, ${countOf('pending')} AS pending, ${countOf('leased')} AS "inFlight",
    ${countOf('expired')} AS expired, ${countOf('cancelled')} AS cancelled, coalesce(sum(c.attempts_made), 0)::int AS attempts,
    min(c.created_at) FILTER (WHERE c.state IN ('pending', 'leased')) AS "oldestOpenAt", count(*) < @latest AS "isComplete",
    (SELECT times FROM answered) AS times
  FROM chosen c
  HAVING EXISTS (SELECT FROM webhook_endpoint w
    WHERE w.merchant_account_id = @account AND w.id = @endpoint::uuid AND w.deleted_at IS NULL)`,
);

type Asked = {
  readonly account: string;
  readonly endpoint: string;
  readonly latest: number;
  readonly since: Date | null;
};

/** The states of the latest deliveries of one endpoint. */
export type DeliveryCounts = {
  readonly delivered: number;
  readonly pending: number;
  readonly inFlight: number;
  readonly expired: number;
  readonly cancelled: number;
  /** All attempts of these deliveries. */
  readonly attempts: number;
  /** The creation of the oldest delivery that is pending or in flight. Null without one. */
  readonly oldestOpenAt: Date | null;
  /** False if earlier deliveries may lie in the asked time. */
  readonly isComplete: boolean;
};

type Row = DeliveryCounts & { readonly times: readonly number[] | null };

/** Reads the latest deliveries of an endpoint, along the primary key. Returns null for an unknown or deleted endpoint. */
export async function readDeliveryTotals(db: Db, asked: Asked): Promise<Row | null> {
  const [row] = await db.query<Row>(statement(asked));
  return row ?? null;
}
