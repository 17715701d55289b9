import { queryOn, type Db } from '../../../platform/database/db.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { takenRows, waitingRows } from '../../../platform/feed/log-cursor.sql.ts';
import { IS_SUBSCRIBED } from '../endpoints/subscribed-from.sql.ts';
import { FEED } from '../partitions/feed-reader.sql.ts';
import { prepare } from '../../../platform/database/statement.ts';

/** The channel that announces events waiting for the relay. */
export const PENDING_CHANNEL = 'paygraph_event';

/** The channel on which the relay announces new feed entries and deliveries. */
export const FEED_CHANNEL = 'paygraph_feed';

export type Batch = {
  readonly limit: number;
  readonly now: Date;
  /** The moment at which the deliveries of this batch expire. */
  readonly deadline: Date;
};

const oldest = prepare(
  'relay_oldest',
  `WITH ${waitingRows({ ...FEED, limit: '1' })} SELECT created_at FROM waiting ORDER BY position LIMIT 1`,
);

/** Returns the creation time of the oldest event that waits for the relay. Null when none waits. */
export async function findOldestPending(db: Db): Promise<Date | null> {
  const [row] = await db.query<{ created_at: Date }>(oldest({}));
  return row?.created_at ?? null;
}

const notify = prepare('relay_notify', `SELECT pg_notify('${PENDING_CHANNEL}', '')`);

/** Notifies other processes of waiting events, on a separate connection and in a separate transaction. */
export async function notifyPending(db: Db): Promise<void> {
  await db.query(notify({}));
}

/**
 * Moves the oldest waiting events into the feed:
 *
 * - It moves the cursor of the feed behind them.
 * - It gives the events of each merchant account the next sequences in written order.
 * - It creates deliveries for subscribed endpoints, disabled ones included.
 *
 * Only one process at a time can be in this transaction. A crash in it leaves all events waiting. Returns the number of
 * moved events, or null when another process is moving events.
 */
export async function moveBatch(db: Db, { limit, now, deadline }: Batch): Promise<number | null> {
  const client = await db.connect();
  try {
    // A frozen process loses its connection and its lock. Another process continues within a second.
    await client.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 500');
    const { query } = queryOn(client);
    const [locked] = await query<{ mine: boolean }>(lock({}));
    // The lock has its own statement, so that the next statement's snapshot begins after the lock.
    const moved = locked?.mine ? await query<{ moved: number }>(move({ limit, now, deadline })) : null;
    await failpoint('relay.moved');
    await client.query('COMMIT');
    client.release();
    return moved && (moved[0]?.moved ?? 0);
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** The lock of the process that may put events into the feed. No other advisory lock has this number. */
export const RELAY_KEY = '7020584530100231';

const lock = prepare('relay_lock', `SELECT pg_try_advisory_xact_lock(${RELAY_KEY}) AS mine`);

const move = prepare(
  'relay_move',
  `
  WITH ${takenRows({ ...FEED, limit: '@limit' })},
  event_in_order AS (
    SELECT e.*, row_number() OVER (PARTITION BY e.merchant_account_id ORDER BY e.position) AS nth,
           count(*) OVER (PARTITION BY e.merchant_account_id) AS total
    FROM taken e WHERE NOT EXISTS (SELECT FROM feed_entry f WHERE f.position = e.position)),
  head AS (
    INSERT INTO feed_head AS h (merchant_account_id, sequence)
    SELECT merchant_account_id, total FROM event_in_order WHERE nth = 1
    ON CONFLICT (merchant_account_id) DO UPDATE SET sequence = h.sequence + excluded.sequence
    RETURNING h.merchant_account_id, h.sequence),
  fed AS (
    INSERT INTO feed_entry (merchant_account_id, sequence, position, created_at)
    SELECT e.merchant_account_id, head.sequence - e.total + e.nth, e.position, @now
    FROM event_in_order e JOIN head USING (merchant_account_id)),
  sent AS (
    INSERT INTO delivery (merchant_account_id, endpoint_id, position, next_at, deadline, created_at)
    SELECT e.merchant_account_id, w.id, e.position, @now, @deadline, @now
    FROM event_in_order e JOIN webhook_endpoint w USING (merchant_account_id)
    WHERE ${IS_SUBSCRIBED})
  SELECT count(*)::int AS moved, pg_notify('${FEED_CHANNEL}', '') FROM taken`,
);
