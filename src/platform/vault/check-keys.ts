import { prepareFile } from '../database/statement.ts';
import type { Db } from '../database/db.ts';
import { unwrapDataKey } from './data-keys.ts';
import type { KeyProvider } from './master-key/key-provider.ts';
import type { DataKeyRow } from './store.ts';

const oneOfEach = prepareFile(import.meta, 'vault-one-data-key-of-each.sql');

/**
 * Opens one data key for each master key that wraps data keys. Returns the number of master keys in use. Throws an
 * OperatorError when the configuration lacks one of them.
 */
export async function checkMasterKeys(db: Db, keys: KeyProvider): Promise<number> {
  const rows = await db.query<DataKeyRow>(oneOfEach({}));
  for (const row of rows) await unwrapDataKey(keys, row);
  return rows.length;
}
