import { queryOn, type Db } from '../../../platform/database/db.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { prepare, prepareFile } from '../../../platform/database/statement.ts';
import type { Range } from '../partitions/partitions.sql.ts';

const accounts = prepareFile(import.meta, 'retention-accounts.sql');

/** Returns the merchant accounts whose oldest event reached the feed before a moment. */
export async function findAccountsToCut(db: Db, before: Date): Promise<readonly string[]> {
  const rows = await db.query<{ id: string }>(accounts({ before }));
  return rows.map(({ id }) => id);
}

export type Cut = {
  /**
   * Removes only events that reached the feed before this moment. The time of creation does not count, because a
   * transaction may be open for long.
   */
  readonly before: Date;
  /** The most events to remove. */
  readonly limit: number;
  /** The events and attempts of these positions stay. They are removed with their partitions. */
  readonly whole: readonly Range[];
};

/**
 * Removes the oldest events of a merchant account from the feed, in its order, with their deliveries and attempts. Stops
 * at the first event that is young enough or has an unsettled delivery. Events and attempts that stay for their partition
 * have no reader any more. Every query of events asks for their feed entries.
 *
 * The same transaction moves the feed's floor, so a crash leaves everything. Returns the number of removed events, or
 * null when another process is removing events.
 */
export async function cutFeed(db: Db, merchantAccountId: string, options: Cut): Promise<number | null> {
  const client = await db.connect();
  try {
    // The floor is in the row with the relay's counter. A frozen process must not block the relay for long.
    await client.query(BEGIN);
    const { query } = queryOn(client);
    const [locked] = await query<{ mine: boolean }>(retentionLock({}));
    const removed = locked?.mine ? await cut(query, merchantAccountId, options) : null;
    await failpoint('retention.removed');
    await client.query('COMMIT');
    client.release();
    return removed;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** The log accepts deletions only in a transaction with this setting. */
const BEGIN =
  "BEGIN; SET LOCAL idle_in_transaction_session_timeout = 500; SET LOCAL paygraph.retention = 'on'";

/** The lock of the process that removes events. No other advisory lock has this number. */
export const retentionLock = prepare(
  'retention_lock',
  'SELECT pg_try_advisory_xact_lock(7020584530100232) AS mine',
);

async function cut(query: Db['query'], account: string, { before, limit, whole }: Cut): Promise<number> {
  const [chosen] = await query<{ positions: string[] | null; last: string | null }>(
    choose({ account, before, limit }),
  );
  const { positions = null, last = null } = chosen ?? {};
  if (positions === null || last === null) return 0;
  // If a replay makes a delivery due at this moment, its event stays. The removal fails and the transaction rolls back.
  const isOfWhole = (position: bigint) =>
    whole.some(({ from, until }) => position >= from && position < until);
  const single = positions.filter((position) => !isOfWhole(BigInt(position)));
  if (single.length > 0) await query(removeAttempts({ account, positions: single }));
  await query(removeDeliveries({ account, positions }));
  await query(removeEntries({ account, positions }));
  if (single.length > 0) await query(removeEvents({ account, positions: single }));
  await query(moveFloor({ account, last }));
  return positions.length;
}

const choose = prepareFile(import.meta, 'retention-choose.sql');

const removeAttempts = prepareFile(import.meta, 'retention-attempts.sql');

const removeDeliveries = prepareFile(import.meta, 'retention-deliveries.sql');

const removeEntries = prepareFile(import.meta, 'retention-entries.sql');

const removeEvents = prepare(
  'retention_events',
  'DELETE FROM event WHERE merchant_account_id = @account AND position = ANY (@positions::bigint[])',
);

const moveFloor = prepare(
  'retention_floor',
  'UPDATE feed_head SET floor = @last WHERE merchant_account_id = @account AND floor < @last',
);
