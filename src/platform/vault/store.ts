import { prepareFile } from '../database/statement.ts';
import type { Db } from '../database/db.ts';
import type { WrappedKey } from './master-key/key-provider.ts';

/** The purpose of a key. A digest never shares its key with a ciphertext. */
export type Purpose = 'data' | 'fingerprint';

/** The stored form of a version of a merchant account's data key. */
export type DataKeyRow = WrappedKey & {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly purpose: Purpose;
  /** Counts from 1 for each purpose of a merchant account. */
  readonly version: number;
  readonly retiredAt: Date | null;
};

const insert = prepareFile(import.meta, 'vault-insert-data-key.sql');

/** Stores a version unless it exists. Commits at once and apart from the caller, because a used key must stay. */
export async function insertDataKey(
  db: Db,
  { merchantAccountId, id, purpose, version, keyId, wrapped }: DataKeyRow,
  { rotationId, createdAt }: { readonly rotationId: string | null; readonly createdAt: Date },
): Promise<void> {
  await db.query(
    insert({ account: merchantAccountId, id, purpose, version, keyId, wrapped, rotationId, createdAt }),
  );
}

/** Returns the newest version of the merchant account's key for a purpose, or null. */
export async function findCurrentDataKey(
  db: Db,
  { merchantAccountId, purpose }: Pick<DataKeyRow, 'merchantAccountId' | 'purpose'>,
): Promise<DataKeyRow | null> {
  const [row] = await db.query<DataKeyRow>(findCurrent({ account: merchantAccountId, purpose }));
  return row ?? null;
}

/** Returns the merchant account's key of this id, retired or not, or null. `id` must be a UUID. */
export async function findDataKey(
  db: Db,
  { merchantAccountId, id }: Pick<DataKeyRow, 'merchantAccountId' | 'id'>,
): Promise<DataKeyRow | null> {
  const [row] = await db.query<DataKeyRow>(findOne({ account: merchantAccountId, id }));
  return row ?? null;
}

/** The columns of a DataKeyRow. */
export const DATA_KEY_COLUMNS = `merchant_account_id AS "merchantAccountId", id, purpose, version,
  key_encryption_key AS "keyId", wrapped, retired_at AS "retiredAt"`;

const findCurrent = prepareFile(import.meta, 'vault-find-current-data-key.sql');

const findOne = prepareFile(import.meta, 'vault-find-data-key.sql');
