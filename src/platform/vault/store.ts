import type { Db } from '../db.ts';

/** Two purposes, two keys: a digest never shares its key with a ciphertext. */
export type Purpose = 'data' | 'fingerprint';

/** A merchant account's data key as it is kept. */
export type DataKeyRow = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly purpose: Purpose;
  readonly keyEncryptionKey: string;
  readonly wrapped: string;
};

/** Stores a data key unless the merchant account has one for this purpose. Commits at once, whoever asks: a key that was used must stay. */
export async function insertDataKey(db: Db, row: DataKeyRow, createdAt: Date): Promise<void> {
  await db.query({
    name: 'vault_insert_data_key',
    text: `
      INSERT INTO data_key (merchant_account_id, id, purpose, key_encryption_key, wrapped, created_at)
      VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (merchant_account_id, purpose) DO NOTHING`,
    values: [row.merchantAccountId, row.id, row.purpose, row.keyEncryptionKey, row.wrapped, createdAt],
  });
}

/** The merchant account's key for a purpose, or null. */
export async function findCurrentDataKey(
  db: Db,
  { merchantAccountId, purpose }: Pick<DataKeyRow, 'merchantAccountId' | 'purpose'>,
): Promise<DataKeyRow | null> {
  const [row] = await db.query<DataKeyRow>({
    name: 'vault_find_current_data_key',
    text: `SELECT ${COLUMNS} FROM data_key WHERE merchant_account_id = $1 AND purpose = $2`,
    values: [merchantAccountId, purpose],
  });
  return row ?? null;
}

/** The merchant account's key of this id, or null. `id` must be a UUID. */
export async function findDataKey(
  db: Db,
  { merchantAccountId, id }: Pick<DataKeyRow, 'merchantAccountId' | 'id'>,
): Promise<DataKeyRow | null> {
  const [row] = await db.query<DataKeyRow>({
    name: 'vault_find_data_key',
    text: `SELECT ${COLUMNS} FROM data_key WHERE merchant_account_id = $1 AND id = $2`,
    values: [merchantAccountId, id],
  });
  return row ?? null;
}

const COLUMNS = `merchant_account_id AS "merchantAccountId", id, purpose,
  key_encryption_key AS "keyEncryptionKey", wrapped`;
