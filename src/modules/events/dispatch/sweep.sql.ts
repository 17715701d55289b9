import type { Db } from '../../../platform/database/db.ts';
import { rowOf, prepare } from '../../../platform/database/statement.ts';
import { deliveryOf, waiting } from './claim.sql.ts';

/** The most rows that one statement changes, so that locks stay short. */
const CHUNK = 1_000;

/**
 * Sweeps over deliveries that the claim leaves out:
 *
 * - Releases deliveries whose leases ended. They are attempted again, perhaps for the second time with the same id.
 * - Cancels pending deliveries of deleted endpoints.
 * - Expires pending deliveries beyond their deadlines.
 * - Makes pending deliveries of recovered endpoints due.
 *
 * Returns true when more work is ready. If a process dies during the sweep, the next sweep does the rest.
 */
export async function sweepDeliveries(db: Db, now: Date): Promise<boolean> {
  await db.query(release({ now }));
  const cancelled = await db.query(cancel({ now }));
  const expired = await db.query(expire({ now }));
  const drained = await db.query<{ more: boolean }>(drain({ now }));
  return cancelled.length === CHUNK || expired.length === CHUNK || drained.some(({ more }) => more);
}

const release = prepare(
  'delivery_release',
  `
  UPDATE delivery d SET state = 'pending', lease = NULL, lease_until = NULL
  FROM (SELECT endpoint_id, position FROM delivery WHERE state = 'leased' AND lease_until <= @now
        FOR NO KEY UPDATE SKIP LOCKED) ended
  WHERE ${deliveryOf('ended')}`,
);

const cancel = prepare(
  'delivery_cancel',
  `
  WITH RECURSIVE ${waiting()},
  unwanted AS MATERIALIZED (
    SELECT d.endpoint_id, d.position FROM waiting
    CROSS JOIN LATERAL (
      SELECT id FROM webhook_endpoint e
      WHERE e.merchant_account_id = waiting.merchant_account_id AND e.id = waiting.endpoint_id
        AND e.deleted_at IS NOT NULL
      OFFSET 0) w
    CROSS JOIN LATERAL (
      SELECT endpoint_id, position FROM delivery WHERE endpoint_id = w.id AND state = 'pending'
      ORDER BY next_at LIMIT ${CHUNK} FOR NO KEY UPDATE SKIP LOCKED) d
    LIMIT ${CHUNK})
  UPDATE delivery d SET state = 'cancelled', settled_at = @now
  FROM unwanted WHERE ${deliveryOf('unwanted')}
  RETURNING d.position`,
);

// Only the index by deadline fits the comparison with '-infinity'. Only deliveries that wait for a paused or disabled
// endpoint expire here. At any other endpoint, the last attempt is at the deadline, or later after an outage of the
// service. A failure of that attempt expires the delivery.
const expire = prepare(
  'delivery_expire',
  `
  WITH RECURSIVE ${waiting()},
  late AS MATERIALIZED (
    SELECT d.endpoint_id, d.position FROM waiting
    CROSS JOIN LATERAL (
      SELECT id FROM webhook_endpoint e
      WHERE e.merchant_account_id = waiting.merchant_account_id AND e.id = waiting.endpoint_id
        AND e.deleted_at IS NULL AND (e.pauses > 0 OR e.state = 'disabled')
      OFFSET 0) w
    CROSS JOIN LATERAL (
      SELECT endpoint_id, position FROM delivery
      WHERE endpoint_id = w.id AND state = 'pending' AND deadline > '-infinity' AND deadline <= @now
      ORDER BY deadline LIMIT ${CHUNK} FOR NO KEY UPDATE SKIP LOCKED) d
    LIMIT ${CHUNK})
  UPDATE delivery d SET state = 'expired', settled_at = @now
  FROM late WHERE ${deliveryOf('late')}
  RETURNING d.position`,
);

// The endpoint is locked before its deliveries, as in the claim. A delivery with an attempt since the recovery has
// failed, and keeps its delay.
const drain = prepare(
  'delivery_drain',
  `
  WITH draining AS MATERIALIZED (
    SELECT merchant_account_id, id, draining_since FROM webhook_endpoint
    WHERE draining_since IS NOT NULL AND state = 'active' AND deleted_at IS NULL
    ORDER BY draining_since LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED),
  later AS MATERIALIZED (
    SELECT d.endpoint_id, d.position FROM draining CROSS JOIN LATERAL (
      SELECT endpoint_id, position FROM delivery
      WHERE endpoint_id = draining.id AND state = 'pending' AND next_at > @now
        AND NOT EXISTS (
          SELECT FROM delivery_attempt a
          WHERE a.merchant_account_id = draining.merchant_account_id AND a.endpoint_id = draining.id
            AND a.position = delivery.position AND a.started_at >= draining.draining_since
          OFFSET 0)
      ORDER BY next_at, position LIMIT ${CHUNK} FOR NO KEY UPDATE SKIP LOCKED) d),
  due AS (
    UPDATE delivery d SET next_at = @now
    FROM later WHERE ${deliveryOf('later')}),
  ended AS (
    UPDATE webhook_endpoint w SET draining_since = NULL FROM draining
    WHERE ${rowOf('w', 'draining')}
      AND (SELECT count(*) FROM later) < ${CHUNK})
  SELECT true AS more FROM draining`,
);
