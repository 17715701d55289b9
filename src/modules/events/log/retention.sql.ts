import type { Db } from '../../../platform/db.ts';
import { failpoint } from '../../../platform/failpoint.ts';

/** Returns the merchant accounts whose oldest event reached the feed before a moment. */
export async function findAccountsToCut(db: Db, before: Date): Promise<readonly string[]> {
  const rows = await db.query<{ id: string }>({
    name: 'retention_accounts',
    text: `SELECT h.merchant_account_id AS id FROM feed_head h CROSS JOIN LATERAL (
             SELECT created_at FROM feed_entry
             WHERE merchant_account_id = h.merchant_account_id AND sequence > h.floor
             ORDER BY sequence LIMIT 1 OFFSET 0) oldest
           WHERE oldest.created_at < $1`,
    values: [before],
  });
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
};

/**
 * Removes the oldest events of a merchant account in feed order, with their deliveries and attempts. Stops at the first
 * event that is young enough or has an unsettled delivery.
 *
 * The same transaction moves the feed's floor, so a crash leaves everything. Returns the number of removed events, or
 * null when another process is removing events.
 */
export async function cutFeed(
  db: Db,
  merchantAccountId: string,
  { before, limit }: Cut,
): Promise<number | null> {
  const client = await db.connect();
  try {
    // The floor is in the row with the relay's counter. A frozen process must not block the relay for long.
    await client.query(BEGIN);
    const locked = await client.query<{ mine: boolean }>({ name: 'retention_lock', text: LOCK });
    const removed = locked.rows[0]?.mine ? await cut(client, merchantAccountId, { before, limit }) : null;
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

type Client = Awaited<ReturnType<Db['connect']>>;

/** The lock of the process that removes events. No other advisory lock has this number. */
const LOCK = 'SELECT pg_try_advisory_xact_lock(7020584530100232) AS mine';

async function cut(client: Client, merchantAccountId: string, { before, limit }: Cut): Promise<number> {
  const chosen = await client.query<{ positions: string[] | null; last: string | null }>({
    name: 'retention_choose',
    text: CHOOSE,
    values: [merchantAccountId, before, limit],
  });
  const { positions = null, last = null } = chosen.rows[0] ?? {};
  if (positions === null || last === null) return 0;
  // If a replay makes a delivery due at this moment, its event stays. The removal fails and the transaction rolls back.
  for (const [name, text] of REMOVALS)
    await client.query({ name, text, values: [merchantAccountId, positions] });
  await client.query({ name: 'retention_floor', text: FLOOR, values: [merchantAccountId, last] });
  return positions.length;
}

const CHOOSE = `
  WITH oldest AS MATERIALIZED (
    SELECT f.* FROM feed_head h CROSS JOIN LATERAL (
      SELECT sequence, position, created_at FROM feed_entry
      WHERE merchant_account_id = h.merchant_account_id AND sequence > h.floor
      ORDER BY sequence LIMIT $3) f
    WHERE h.merchant_account_id = $1),
  first_retained AS (
    SELECT min(sequence) AS sequence FROM oldest s
    WHERE s.created_at >= $2 OR EXISTS (
      SELECT FROM delivery d WHERE d.position = s.position AND d.state IN ('pending', 'leased')))
  SELECT array_agg(s.position) AS positions, max(s.sequence) AS last
  FROM oldest s CROSS JOIN first_retained r WHERE r.sequence IS NULL OR s.sequence < r.sequence`;

const REMOVALS = [
  [
    'retention_attempts',
    `DELETE FROM delivery_attempt a USING delivery d
     WHERE d.merchant_account_id = $1 AND d.position = ANY ($2::bigint[]) AND d.state NOT IN ('pending', 'leased')
       AND a.merchant_account_id = d.merchant_account_id AND a.endpoint_id = d.endpoint_id AND a.position = d.position`,
  ],
  [
    'retention_deliveries',
    `DELETE FROM delivery WHERE merchant_account_id = $1 AND position = ANY ($2::bigint[])
       AND state NOT IN ('pending', 'leased')`,
  ],
  [
    'retention_entries',
    'DELETE FROM feed_entry WHERE merchant_account_id = $1 AND position = ANY ($2::bigint[])',
  ],
  ['retention_events', 'DELETE FROM event WHERE merchant_account_id = $1 AND position = ANY ($2::bigint[])'],
] as const;

const FLOOR = 'UPDATE feed_head SET floor = $2 WHERE merchant_account_id = $1 AND floor < $2';
