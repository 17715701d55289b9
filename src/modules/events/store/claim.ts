import type { Db } from '../../../platform/db.ts';
import type { SealedSecret } from './endpoints.ts';

/** A delivery that is ours to attempt until the lease ends. */
export type ClaimedDelivery = {
  readonly merchantAccountId: string;
  readonly endpointId: string;
  /** The event's place in the log, as the database writes it. */
  readonly position: string;
  readonly lease: string;
  /** How many attempts failed before. */
  readonly attempt: number;
  readonly createdAt: Date;
  readonly url: string;
  readonly eventId: string;
  readonly sequence: bigint;
  /** The event's envelope, without its sequence. */
  readonly payload: string;
  /** Every secret that signs at present. */
  readonly secrets: readonly SealedSecret[];
};

export type Claim = {
  readonly now: Date;
  readonly lease: string;
  readonly leaseUntil: Date;
  /** At most so many, over all endpoints. */
  readonly limit: number;
};

/**
 * Leases due deliveries, fairly: no endpoint gets more than its window allows to be under way, and all get their first
 * before one gets its second, those that were served longest ago first. So a dead endpoint with a long queue holds up
 * nobody. Endpoints that another process is claiming for at this moment are passed over.
 */
export async function claimDeliveries(
  db: Db,
  { now, lease, leaseUntil, limit }: Claim,
): Promise<readonly ClaimedDelivery[]> {
  const rows = await db.query<Omit<ClaimedDelivery, 'sequence'> & { sequence: string }>({
    name: 'delivery_claim',
    text: CLAIM,
    values: [now, lease, leaseUntil, limit],
  });
  return rows.map((row) => ({ ...row, sequence: BigInt(row.sequence) }));
}

/**
 * Endpoints that have pending deliveries, one index probe each, with the first one's due time: what a
 * `SELECT DISTINCT` over a long queue would read all of it for.
 */
const WAITING = `
  waiting AS (
    (SELECT merchant_account_id, endpoint_id, next_at FROM delivery WHERE state = 'pending'
     ORDER BY endpoint_id, next_at, position LIMIT 1)
    UNION ALL
    SELECT following.* FROM waiting CROSS JOIN LATERAL (
      SELECT merchant_account_id, endpoint_id, next_at FROM delivery
      WHERE state = 'pending' AND endpoint_id > waiting.endpoint_id
      ORDER BY endpoint_id, next_at, position LIMIT 1) following)`;

// Written so that no plan can go astray, with or without statistics: what is under way is counted at once over the small
// index of leased rows; OFFSET 0 keeps the look-up of an endpoint from being joined with all endpoints; the 8 of the last
// LATERAL, the largest window, is no expression.
const CLAIM = `
  WITH RECURSIVE ${WAITING},
  under_way AS MATERIALIZED (
    SELECT endpoint_id, count(*) FROM delivery WHERE state = 'leased' GROUP BY endpoint_id),
  ranked AS MATERIALIZED (
    SELECT w.*, w."window" - coalesce(u.count, 0) AS room
    FROM waiting CROSS JOIN LATERAL (
      SELECT merchant_account_id, id, url, served_at, "window" FROM webhook_endpoint e
      WHERE e.merchant_account_id = waiting.merchant_account_id AND e.id = waiting.endpoint_id
        AND e.deleted_at IS NULL AND e.state <> 'disabled' AND (e.paused_until IS NULL OR e.paused_until <= $1)
      OFFSET 0) w
    LEFT JOIN under_way u ON u.endpoint_id = w.id
    WHERE waiting.next_at <= $1 AND coalesce(u.count, 0) < w."window"
    ORDER BY w.served_at NULLS FIRST LIMIT $4),
  served AS MATERIALIZED (
    SELECT ranked.* FROM ranked JOIN webhook_endpoint w
      ON w.merchant_account_id = ranked.merchant_account_id AND w.id = ranked.id
    FOR NO KEY UPDATE OF w SKIP LOCKED),
  chosen AS (
    SELECT d.endpoint_id, d.position
    FROM served CROSS JOIN LATERAL (
      SELECT endpoint_id, position, row_number() OVER (ORDER BY next_at, position) AS nth FROM (
        SELECT endpoint_id, position, next_at FROM delivery
        WHERE endpoint_id = served.id AND state = 'pending' AND next_at <= $1
        ORDER BY next_at, position LIMIT 8) due) d
    WHERE d.nth <= served.room
    ORDER BY d.nth, served.served_at NULLS FIRST LIMIT $4),
  leased AS (
    UPDATE delivery d SET state = 'leased', lease = $2, lease_until = $3
    FROM chosen WHERE d.endpoint_id = chosen.endpoint_id AND d.position = chosen.position AND d.state = 'pending'
    RETURNING d.*),
  marked AS (
    UPDATE webhook_endpoint w SET served_at = $1
    FROM (SELECT DISTINCT merchant_account_id, endpoint_id FROM leased) l
    WHERE w.merchant_account_id = l.merchant_account_id AND w.id = l.endpoint_id)
  SELECT l.merchant_account_id AS "merchantAccountId", l.endpoint_id AS "endpointId", l.position, l.lease, l.attempt,
         l.created_at AS "createdAt", s.url, e.id AS "eventId", f.sequence, e.payload,
         (SELECT coalesce(json_agg(json_build_object('id', k.id, 'sealed', k.sealed) ORDER BY k.created_at DESC), '[]')
          FROM webhook_secret k
          WHERE k.merchant_account_id = l.merchant_account_id AND k.endpoint_id = l.endpoint_id
            AND (k.expires_at IS NULL OR k.expires_at > $1)) AS secrets
  FROM leased l JOIN served s ON s.id = l.endpoint_id JOIN event e USING (position) JOIN feed_entry f USING (position)
  ORDER BY l.position`;

/**
 * Gives back what a process took and did not settle before its lease ended: it is attempted again, perhaps for the second
 * time with the same id. Cancels what was made for an endpoint while it was being deleted.
 */
export async function sweepDeliveries(db: Db, now: Date): Promise<void> {
  await db.query({
    name: 'delivery_release',
    text: `UPDATE delivery SET state = 'pending', lease = NULL, lease_until = NULL
           WHERE state = 'leased' AND lease_until <= $1`,
    values: [now],
  });
  await db.query({
    name: 'delivery_cancel',
    text: `WITH RECURSIVE ${WAITING}
           UPDATE delivery d SET state = 'cancelled', settled_at = $1
           FROM waiting JOIN webhook_endpoint w
             ON w.merchant_account_id = waiting.merchant_account_id AND w.id = waiting.endpoint_id
           WHERE w.deleted_at IS NOT NULL AND d.endpoint_id = w.id AND d.state = 'pending'`,
    values: [now],
  });
}
