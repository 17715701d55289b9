import type { Db } from '../../../platform/db.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { eventAt } from '../feed/event-at.sql.ts';
import { WANTED } from '../endpoints/subscribed-from.sql.ts';

/** Channel on which a process says that events wait for the relay. */
export const PENDING_CHANNEL = 'paygraph_event';

/** Channel on which the relay says that the feed has grown and that there are deliveries. */
export const FEED_CHANNEL = 'paygraph_feed';

export type Batch = {
  readonly limit: number;
  readonly now: Date;
  /** When deliveries of this batch are given up. */
  readonly deadline: Date;
};

/** When the oldest event that waits for the relay was made; null when none waits. */
export async function findOldestPending(db: Db): Promise<Date | null> {
  const [row] = await db.query<{ created_at: Date }>({
    name: 'relay_oldest',
    text: `SELECT e.created_at FROM (SELECT position FROM event_pending ORDER BY position LIMIT 1) p
           ${eventAt('p.position')}`,
    values: [],
  });
  return row?.created_at ?? null;
}

/** Says to other processes that events wait. On a connection and in a transaction of its own. */
export async function notifyPending(db: Db): Promise<void> {
  await db.query({ name: 'relay_notify', text: `SELECT pg_notify('${PENDING_CHANNEL}', '')`, values: [] });
}

/**
 * Moves the oldest waiting events into the feed: their marks are deleted, each merchant account's get the next sequences
 * in the order in which they were written, and deliveries are made for the endpoints that want them, disabled ones
 * included. All in one transaction that only one process at a time can be in; a crash in it leaves everything waiting.
 * Answers how many events were moved; null when another process is at it.
 */
export async function moveBatch(db: Db, { limit, now, deadline }: Batch): Promise<number | null> {
  const client = await db.connect();
  try {
    // A process that is frozen in the middle loses its connection, and with it the lock: within a second another works.
    await client.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 500');
    const locked = await client.query<{ mine: boolean }>({ name: 'relay_lock', text: LOCK });
    // The lock has a statement of its own: what the next one sees must be of after the lock, or it would be another's past.
    const moved = locked.rows[0]?.mine
      ? await client.query<{ moved: number }>({
          name: 'relay_move',
          text: MOVE,
          values: [limit, now, deadline],
        })
      : null;
    await failpoint('relay.moved');
    await client.query('COMMIT');
    client.release();
    return moved && (moved.rows[0]?.moved ?? 0);
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Whoever holds it may put events into the feed. Any number that no other part of the house locks. */
export const RELAY_KEY = '7020584530100231';

const LOCK = `SELECT pg_try_advisory_xact_lock(${RELAY_KEY}) AS mine`;

const MOVE = `
  WITH taken AS (
    DELETE FROM event_pending
    WHERE position IN (SELECT position FROM event_pending ORDER BY position LIMIT $1)
    RETURNING position),
  event_in_order AS (
    SELECT e.position, e.merchant_account_id, e.name, e.target_id, e.created_at,
           row_number() OVER (PARTITION BY e.merchant_account_id ORDER BY e.position) AS nth,
           count(*) OVER (PARTITION BY e.merchant_account_id) AS total
    FROM taken ${eventAt('taken.position')}),
  head AS (
    INSERT INTO feed_head AS h (merchant_account_id, sequence)
    SELECT merchant_account_id, total FROM event_in_order WHERE nth = 1
    ON CONFLICT (merchant_account_id) DO UPDATE SET sequence = h.sequence + excluded.sequence
    RETURNING h.merchant_account_id, h.sequence),
  fed AS (
    INSERT INTO feed_entry (merchant_account_id, sequence, position, created_at)
    SELECT e.merchant_account_id, head.sequence - e.total + e.nth, e.position, $2
    FROM event_in_order e JOIN head USING (merchant_account_id)),
  sent AS (
    INSERT INTO delivery (merchant_account_id, endpoint_id, position, next_at, deadline, created_at)
    SELECT e.merchant_account_id, w.id, e.position, $2, $3, $2
    FROM event_in_order e JOIN webhook_endpoint w USING (merchant_account_id)
    WHERE ${WANTED})
  SELECT count(*)::int AS moved, pg_notify('${FEED_CHANNEL}', '') FROM taken`;
