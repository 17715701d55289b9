import type { Db } from '../../platform/database/db.ts';
import { prepareFile } from '../../platform/database/statement.ts';

/** The place of a record in the order of the primary key. */
export type KeyPlace = { readonly account: string; readonly operation: string; readonly key: string };

const sweepKeys = prepareFile<KeyPlace & { readonly now: Date; readonly limit: number }>(
  import.meta,
  'sweep-keys.sql',
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
