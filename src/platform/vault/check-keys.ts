import type { Db } from '../database/db.ts';
import { prepare } from '../database/statement.ts';
import { unwrapDataKey } from './data-keys.ts';
import type { KeyProvider } from './key-provider.ts';
import { DATA_KEY_COLUMNS, type DataKeyRow } from './store.ts';

const oneOfEach = prepare(
  'vault_one_data_key_of_each',
  `SELECT ${DATA_KEY_COLUMNS} FROM (
     SELECT DISTINCT ON (key_encryption_key) * FROM data_key WHERE retired_at IS NULL
     ORDER BY key_encryption_key, id) of_each`,
);

/**
 * Opens one data key for each master key that wraps data keys. Returns the number of master keys in use. Throws an
 * OperatorError when the configuration lacks one of them.
 */
export async function checkMasterKeys(db: Db, keys: KeyProvider): Promise<number> {
  const rows = await db.query<DataKeyRow>(oneOfEach({}));
  for (const row of rows) await unwrapDataKey(keys, row);
  return rows.length;
}
