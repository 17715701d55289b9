import { queryOn, type Db } from '../../../platform/database/db.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { prepare, prepareFile } from '../../../platform/database/statement.ts';

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

const oldest = prepareFile(import.meta, 'relay-oldest.sql');

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

const move = prepareFile(import.meta, 'relay-move.sql');
