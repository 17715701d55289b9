import type { PageRequest } from '../../kernel/page.ts';
import { queryIn, type Db, type Tx } from '../../platform/database/db.ts';
import type {
  ApiKeyPair as KeyRow,
  MerchantAccount as AccountRow,
  Prisma,
} from '../../platform/generated/prisma/client.ts';
import { isUuid } from '../../platform/ids.ts';
import type { ApiKeyPair } from './model/api-key-pair.ts';
import type { ApiKeyAlgorithm, PublicKey } from './model/key-material.ts';
import type { LateAuthorizations, MerchantAccount } from './model/merchant-account.ts';
import type { MintedToken } from './model/minted-token.ts';
import { isMerchantAccountId, type AccountAccess } from './model/account-access.ts';
import { prepare, prepareFile } from '../../platform/database/statement.ts';

// Accounts and keys belong to the whole instance. The access of the caller's key limits its view of them.

/** Inserts a merchant account. A known id throws an error that `isDuplicate` recognises. */
export async function insertMerchantAccount(tx: Tx, account: MerchantAccount): Promise<void> {
  await tx.merchantAccount.create({ data: account });
}

/** Inserts a merchant account unless its id exists. */
export async function insertMerchantAccountIfAbsent(db: Db, account: MerchantAccount): Promise<void> {
  await db.transaction((tx) => tx.merchantAccount.createMany({ data: account, skipDuplicates: true }));
}

/** Returns the merchant accounts of the ids within the access, in no order. */
export async function findMerchantAccountsWithin(
  { prisma }: Db,
  access: AccountAccess,
  ids: readonly string[],
): Promise<readonly MerchantAccount[]> {
  const within = ids.filter(isMerchantAccountId);
  const rows = await prisma.merchantAccount.findMany({
    where: { AND: [{ id: { in: within } }, idWithin(access)] },
  });
  return rows.map(toAccount);
}

const toAccount = (row: AccountRow): MerchantAccount => ({
  ...row,
  lateAuthorizations: row.lateAuthorizations as LateAuthorizations,
});

/** Returns a page with one additional row, by ascending id, or backward by descending id. */
export async function listMerchantAccountsWithin(
  { prisma }: Db,
  access: AccountAccess,
  { direction, limit, cursor }: PageRequest,
): Promise<readonly MerchantAccount[]> {
  const behind = cursor === null ? {} : { id: direction === 'forward' ? { gt: cursor } : { lt: cursor } };
  const rows = await prisma.merchantAccount.findMany({
    where: { AND: [behind, idWithin(access)] },
    orderBy: { id: direction === 'forward' ? 'asc' : 'desc' },
    take: limit + 1,
  });
  return rows.map(toAccount);
}

/** Writes the given fields. Null when no account within the access has the id. */
export async function changeMerchantAccount(
  db: Db,
  access: AccountAccess,
  id: string,
  changes: Partial<MerchantAccount>,
): Promise<MerchantAccount | null> {
  if (!isMerchantAccountId(id)) return null;
  const where = { AND: [{ id }, idWithin(access)] };
  const [changed] = await db.transaction((tx) =>
    tx.merchantAccount.updateManyAndReturn({ where, data: changes }),
  );
  return changed ? toAccount(changed) : null;
}

const idWithin = (access: AccountAccess): Prisma.MerchantAccountWhereInput =>
  access.length === 0 ? {} : { id: { in: [...access] } };

/** Inserts a key pair. A known public key throws an error that `isDuplicate` recognises. */
export async function insertApiKeyPair(tx: Tx, pair: ApiKeyPair, { jwk }: PublicKey): Promise<void> {
  const { scopes, merchantAccountIds, ...columns } = pair;
  await tx.apiKeyPair.create({
    data: {
      ...columns,
      scopes: [...scopes],
      merchantAccountIds: [...merchantAccountIds],
      publicKey: jwk,
    },
  });
}

/** Returns the key pairs of the ids within the access, in no order. */
export async function findApiKeyPairsWithin(
  db: Db,
  access: AccountAccess,
  ids: readonly string[],
): Promise<readonly ApiKeyPair[]> {
  return await db.query<ApiKeyPair>(keysById({ access, ids: ids.filter((id) => isUuid(id)) }));
}

/** Returns a page with one additional row, newest first, or backward oldest first. A cursor must be a UUID. */
export async function listApiKeyPairsWithin(
  db: Db,
  access: AccountAccess,
  { direction, limit, cursor }: PageRequest,
): Promise<readonly ApiKeyPair[]> {
  return await db.query<ApiKeyPair>(keyPages[direction]({ access, cursor, limit: limit + 1 }));
}

const COLUMNS = `id, display_name AS "displayName", thumbprint, algorithm, scopes,
  merchant_account_ids AS "merchantAccountIds", active, expires_at AS "expiresAt",
  tokens_not_before AS "tokensNotBefore", last_used_at AS "lastUsedAt",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Only a key for every account can access such keys. */
const WITHIN = `(cardinality(@access::text[]) = 0
  OR (cardinality(merchant_account_ids) > 0 AND merchant_account_ids <@ @access))`;

const keysById = prepareFile(import.meta, 'api-key-pairs-by-id.sql');

const keyPage = (direction: PageRequest['direction'], than: '<' | '>', order: 'ASC' | 'DESC') =>
  prepare(
    `api_key_pairs_${direction}`,
    `SELECT ${COLUMNS} FROM api_key_pair
     WHERE ${WITHIN} AND (@cursor::uuid IS NULL OR id ${than} @cursor) ORDER BY id ${order} LIMIT @limit`,
  );
const keyPages = { forward: keyPage('forward', '<', 'DESC'), backward: keyPage('backward', '>', 'ASC') };

/**
 * Writes the given fields of a key pair. The caller has found the pair within the access. No field changes the pair's
 * own access.
 */
export async function changeApiKeyPair(
  tx: Tx,
  id: string,
  changes: Partial<
    Pick<ApiKeyPair, 'displayName' | 'active' | 'expiresAt' | 'tokensNotBefore' | 'updatedAt'>
  >,
): Promise<ApiKeyPair | null> {
  const [changed] = await tx.apiKeyPair.updateManyAndReturn({ where: { id }, data: changes });
  return changed ? fromRow(changed) : null;
}

/** A key for the verification of tokens. */
export type VerifyingKey = ApiKeyPair & PublicKey;

/** Returns the key of a thumbprint, whatever its access. The key identifies the caller. */
export async function findVerifyingKey({ prisma }: Db, thumbprint: string): Promise<VerifyingKey | null> {
  const row = await prisma.apiKeyPair.findFirst({ where: { thumbprint } });
  // The column holds a value that `insertApiKeyPair` wrote.
  return row && { ...fromRow(row), jwk: row.publicKey as VerifyingKey['jwk'] };
}

/** Returns the key pairs that are active and have not expired, oldest first, whatever their access. */
export async function findUsableKeys(db: Db, now: Date): Promise<readonly PublishedKey[]> {
  return await db.query<PublishedKey>(usableKeys({ now }));
}

/** The public part of a key pair. */
export type PublishedKey = PublicKey & Pick<ApiKeyPair, 'thumbprint'>;

const usableKeys = prepareFile(import.meta, 'usable-api-keys.sql');

/** Returns the oldest key pair that is active and has not expired, whatever its access. Null when there is none. */
export async function findActiveKey({ prisma }: Db, now: Date): Promise<ApiKeyPair | null> {
  const row = await prisma.apiKeyPair.findFirst({
    where: { active: true, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    orderBy: { id: 'asc' },
  });
  return row && fromRow(row);
}

/** Writes the entry of a token in the audit log. A null account means `default`. */
export async function recordMinted(
  tx: Tx,
  account: string | null,
  keyId: string,
  { jti, scopes, expiresAt, merchantAccountId, subject, audience }: MintedToken,
): Promise<void> {
  const fields = JSON.stringify({
    ...{ jti, scopes, expires_at: expiresAt.toISOString() },
    ...{ merchant_account_id: merchantAccountId, subject, audience },
  });
  await queryIn(tx).query(mintedToken({ account, keyId, fields }));
}

const mintedToken = prepareFile(import.meta, 'audit-minted-token.sql');

/** Records the minute of a key's last use. An equal or later recorded minute stays. */
export async function recordLastUse({ prisma }: Db, id: string, minute: Date): Promise<void> {
  await prisma.apiKeyPair.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: minute } }] },
    data: { lastUsedAt: minute },
  });
}

// A CHECK excludes other algorithms.
const fromRow = ({ publicKey, ...row }: KeyRow): ApiKeyPair => ({
  ...row,
  algorithm: row.algorithm as ApiKeyAlgorithm,
});
