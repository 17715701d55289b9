import type { Db } from '../../../platform/db.ts';
import { failpoint } from '../../../platform/failpoint.ts';

/** Merchant accounts whose oldest event reached the feed before a moment. */
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
  /** Only what reached the feed before. By when it was ordered, not by when it was made: a transaction may have been open for long. */
  readonly before: Date;
  /** At most so many events. */
  readonly limit: number;
};

/**
 * Removes the oldest events of a merchant account in the order of its feed, with their deliveries and attempts, up to the
 * first that is young enough or has a delivery that is not settled. All in one transaction, which moves the feed's floor
 * too: a crash in it leaves everything. Answers how many were removed; null when another process is removing.
 */
export async function cutFeed(
  db: Db,
  merchantAccountId: string,
  { before, limit }: Cut,
): Promise<number | null> {
  const client = await db.connect();
  try {
    // The floor is in the row that the relay counts in: a process that is frozen here must not stop it for long.
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

/** The log refuses to lose anything in a transaction that does not say so. */
const BEGIN =
  "BEGIN; SET LOCAL idle_in_transaction_session_timeout = 500; SET LOCAL paygraph.retention = 'on'";

type Client = Awaited<ReturnType<Db['connect']>>;

/** Any number that no other part of the house locks. */
const LOCK = 'SELECT pg_try_advisory_xact_lock(7020584530100232) AS mine';

async function cut(client: Client, merchantAccountId: string, { before, limit }: Cut): Promise<number> {
  const chosen = await client.query<{ positions: string[] | null; last: string | null }>({
    name: 'retention_choose',
    text: CHOOSE,
    values: [merchantAccountId, before, limit],
  });
  const { positions = null, last = null } = chosen.rows[0] ?? {};
  if (positions === null || last === null) return 0;
  // A delivery that is made due again at this moment keeps its event, whose removal then fails, and all of this with it.
  for (const [name, text] of REMOVALS)
    await client.query({ name, text, values: [merchantAccountId, positions] });
  await client.query({ name: 'retention_floor', text: FLOOR, values: [merchantAccountId, last] });
  return positions.length;
}

const CHOOSE = `
  WITH stretch AS MATERIALIZED (
    SELECT f.* FROM feed_head h CROSS JOIN LATERAL (
      SELECT sequence, position, created_at FROM feed_entry
      WHERE merchant_account_id = h.merchant_account_id AND sequence > h.floor
      ORDER BY sequence LIMIT $3) f
    WHERE h.merchant_account_id = $1),
  kept AS (
    SELECT min(sequence) AS sequence FROM stretch s
    WHERE s.created_at >= $2 OR EXISTS (
      SELECT FROM delivery d WHERE d.position = s.position AND d.state IN ('pending', 'leased')))
  SELECT array_agg(s.position) AS positions, max(s.sequence) AS last
  FROM stretch s CROSS JOIN kept WHERE kept.sequence IS NULL OR s.sequence < kept.sequence`;

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
