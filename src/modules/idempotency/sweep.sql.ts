import type { Db } from '../../platform/database/db.ts';
import { prepare } from '../../platform/database/statement.ts';

/** The place of a record in the order of the primary key. */
export type KeyPlace = { readonly account: string; readonly operation: string; readonly key: string };

const sweepKeys = prepare<KeyPlace & { readonly now: Date; readonly limit: number }>(
  'sweep_keys',
  `WITH step AS (
    SELECT merchant_account_id, operation, key, expires_at FROM idempotency_key
    WHERE (merchant_account_id, operation, key) > (@account, @operation, @key)
    ORDER BY merchant_account_id, operation, key LIMIT @limit),
  removed AS (
    DELETE FROM idempotency_key k USING step s
    WHERE s.expires_at <= @now AND k.merchant_account_id = s.merchant_account_id AND k.operation = s.operation
      AND k.key = s.key AND k.expires_at <= @now
    RETURNING 1)
  SELECT s.merchant_account_id AS account, s.operation, s.key, (SELECT count(*)::int FROM removed) AS removed
  FROM step s ORDER BY s.merchant_account_id DESC, s.operation DESC, s.key DESC LIMIT 1`,
);

/**
 * Removes the expired records among the next `limit` records after a place. Returns the last of these records, or null
 * at the end of the table.
 */
export async function sweepStep(
  db: Db,
  step: KeyPlace & { readonly now: Date; readonly limit: number },
): Promise<(KeyPlace & { readonly removed: number }) | null> {
  const [last] = await db.query<KeyPlace & { readonly removed: number }>(sweepKeys(step));
  return last ?? null;
}
