import type { Db } from '../../../platform/database/db.ts';
import { prepare } from '../../../platform/database/statement.ts';

const expireStatement = prepare(
  'expire_exports',
  `UPDATE export SET status = 'expired' WHERE status = 'succeeded' AND expires_at <= @now`,
);

/** Expires every export whose file is old enough. Its link answers 410 from now on. */
export async function expireExports(db: Db, now: Date): Promise<void> {
  await db.query(expireStatement({ now }));
}

// The last chunks go first, and the number of the chunks that are left says where to continue.
const removeStatement = prepare(
  'remove_export_chunks',
  `WITH due AS (
     SELECT merchant_account_id, id, chunks FROM export
     WHERE status IN ('failed', 'expired') AND chunks > 0
     ORDER BY ended_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED),
   removed AS (
     DELETE FROM export_chunk c USING due d
     WHERE c.merchant_account_id = d.merchant_account_id AND c.export_id = d.id AND c.number > d.chunks - @limit::int)
   UPDATE export e SET chunks = greatest(d.chunks - @limit::int, 0) FROM due d
   WHERE e.merchant_account_id = d.merchant_account_id AND e.id = d.id RETURNING e.id`,
);

/** Removes the last chunks of one file, at most `limit`. Returns true if a file had any. */
export async function removeChunks(db: Db, limit: number): Promise<boolean> {
  return (await db.query(removeStatement({ limit }))).length > 0;
}
