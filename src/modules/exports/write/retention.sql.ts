import type { Db } from '../../../platform/database/db.ts';
import { prepare, prepareFile } from '../../../platform/database/statement.ts';

const expireStatement = prepare(
  'expire_exports',
  `UPDATE export SET status = 'expired' WHERE status = 'succeeded' AND expires_at <= @now
     AND merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))`,
);

/** Expires every export whose file is old enough. Its link answers 410 from now on. */
export async function expireExports(db: Db, now: Date): Promise<void> {
  await db.query(expireStatement({ now }));
}

const removeStatement = prepareFile(import.meta, 'remove-export-chunks.sql');

/** Removes the last chunks of one file, at most `limit`. Returns true if a file had any. */
export async function removeChunks(db: Db, limit: number): Promise<boolean> {
  return (await db.query(removeStatement({ limit }))).length > 0;
}
