import type { Db } from '../db.ts';
import type { WrappedKey } from './key-provider.ts';

/** Two purposes, two keys: a digest never shares its key with a ciphertext. */
export type Purpose = 'data' | 'fingerprint';

/** A version of a merchant account's data key as it is kept. */
export type DataKeyRow = WrappedKey & {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly purpose: Purpose;
  /** From 1 for each purpose of a merchant account. */
  readonly version: number;
  readonly retiredAt: Date | null;
};

/** Stores a version unless there is one. Commits at once, whoever asks: a key that was used must stay. */
export async function insertDataKey(
  db: Db,
  { merchantAccountId, id, purpose, version, keyId, wrapped }: DataKeyRow,
  { rotationId, createdAt }: { readonly rotationId: string | null; readonly createdAt: Date },
): Promise<void> {
  await db.query({
    name: 'vault_insert_data_key',
    text: `
      INSERT INTO data_key
        (merchant_account_id, id, purpose, version, key_encryption_key, wrapped, rotation_id, created_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (merchant_account_id, purpose, version) DO NOTHING`,
    values: [merchantAccountId, id, purpose, version, keyId, wrapped, rotationId, createdAt],
  });
}

/** The newest version of the merchant account's key for a purpose, or null. */
export async function findCurrentDataKey(
  db: Db,
  { merchantAccountId, purpose }: Pick<DataKeyRow, 'merchantAccountId' | 'purpose'>,
): Promise<DataKeyRow | null> {
  const [row] = await db.query<DataKeyRow>({
    name: 'vault_find_current_data_key',
    text: `
      SELECT ${DATA_KEY_COLUMNS} FROM data_key WHERE merchant_account_id = $1 AND purpose = $2
      ORDER BY version DESC LIMIT 1`,
    values: [merchantAccountId, purpose],
  });
  return row ?? null;
}

/** The merchant account's key of this id, retired or not, or null. `id` must be a UUID. */
export async function findDataKey(
  db: Db,
  { merchantAccountId, id }: Pick<DataKeyRow, 'merchantAccountId' | 'id'>,
): Promise<DataKeyRow | null> {
  const [row] = await db.query<DataKeyRow>({
    name: 'vault_find_data_key',
    text: `SELECT ${DATA_KEY_COLUMNS} FROM data_key WHERE merchant_account_id = $1 AND id = $2`,
    values: [merchantAccountId, id],
  });
  return row ?? null;
}

/** What makes a DataKeyRow of a row. */
export const DATA_KEY_COLUMNS = `merchant_account_id AS "merchantAccountId", id, purpose, version,
  key_encryption_key AS "keyId", wrapped, retired_at AS "retiredAt"`;
