import { queryOn, type Db } from '../../../platform/database/db.ts';
import { RELAY_KEY } from './relay.sql.ts';
import { prepare, prepareFile } from '../../../platform/database/statement.ts';

/** A part of the log: after `after`, up to `until`. */
export type Part = { readonly after: bigint; readonly until: bigint };

const end = prepare('feed_check_end', 'SELECT coalesce(max(position), 0) AS end FROM event');

/** Returns the greatest committed position that still exists, or 0 for an empty log. */
export async function readEnd(db: Db): Promise<bigint> {
  const [row] = await db.query<{ end: string }>(end({}));
  return BigInt(row?.end ?? 0);
}

/**
 * Returns at most 1000 events of a part that are neither in the feed nor waiting for the relay. Only events since a moment
 * count. There should be none. The relay moves its cursor and writes the feed entry
 * together.
 */
export async function findMissedEvents(
  db: Db,
  { after, until }: Part,
  since: Date,
): Promise<readonly bigint[]> {
  const rows = await db.query<{ position: string }>(missed({ after, until, since }));
  return rows.map(({ position }) => BigInt(position));
}

const missed = prepareFile(import.meta, 'feed-check-events.sql');

const mark = prepareFile(import.meta, 'feed-check-mark.sql');

/** Gives events that are still missed to the relay again, and returns their number. Locks the relay out meanwhile. */
export async function markMissedEvents(db: Db, positions: readonly bigint[], since: Date): Promise<number> {
  const client = await db.connect();
  try {
    await client.query(
      `BEGIN; SET LOCAL lock_timeout = 5000; SET LOCAL idle_in_transaction_session_timeout = 500`,
    );
    await client.query(`SELECT pg_advisory_xact_lock(${RELAY_KEY})`);
    const [row] = await queryOn(client).query<{ marked: number }>(mark({ positions, since }));
    await client.query('COMMIT');
    client.release();
    return row?.marked ?? 0;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/**
 * Inserts the missing deliveries of a part for subscribed endpoints, and returns their number. There should be none:
 * the relay writes deliveries with the feed entry. Skips an endpoint that changed since the event, or within the minute
 * before. Its subscription at that time is unknown.
 */
export async function insertMissedDeliveries(
  db: Db,
  { after, until, now, deadline }: Part & { readonly now: Date; readonly deadline: Date },
): Promise<number> {
  const rows = await db.query(deliveries({ after, until, now, deadline }));
  return rows.length;
}

const deliveries = prepareFile(import.meta, 'feed-check-deliveries.sql');
