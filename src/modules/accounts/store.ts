import type { PageRequest } from '../../kernel/page.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ApiKeyPair as KeyRow, Prisma } from '../../platform/generated/prisma/client.ts';
import { isUuid } from '../../platform/ids.ts';
import type { ApiKeyPair } from './api-key-pair.ts';
import type { ApiKeyAlgorithm, PublicKey } from './key-material.ts';
import type { MerchantAccount } from './merchant-account.ts';
import { isMerchantAccountId, type AccountAccess } from './account-access.ts';

// Accounts and keys belong to the whole instance. The access of the caller's key limits its view of them.

/** Inserts a merchant account. A known id throws an error that `isDuplicate` recognises. */
export async function insertMerchantAccount(tx: Tx, account: MerchantAccount): Promise<void> {
  await tx.merchantAccount.create({ data: account });
}

/** Inserts a merchant account unless its id exists. */
export async function insertMerchantAccountIfAbsent({ prisma }: Db, account: MerchantAccount): Promise<void> {
  await prisma.merchantAccount.createMany({ data: account, skipDuplicates: true });
}

/** Returns the merchant accounts of the ids within the access, in no order. */
export async function findMerchantAccountsWithin(
  { prisma }: Db,
  access: AccountAccess,
  ids: readonly string[],
): Promise<readonly MerchantAccount[]> {
  const within = ids.filter(isMerchantAccountId);
  return await prisma.merchantAccount.findMany({
    where: { AND: [{ id: { in: within } }, idWithin(access)] },
  });
}

/** Returns a page with one additional row, by ascending id, or backward by descending id. */
export async function listMerchantAccountsWithin(
  { prisma }: Db,
  access: AccountAccess,
  { direction, limit, cursor }: PageRequest,
): Promise<readonly MerchantAccount[]> {
  const behind = cursor === null ? {} : { id: direction === 'forward' ? { gt: cursor } : { lt: cursor } };
  return await prisma.merchantAccount.findMany({
    where: { AND: [behind, idWithin(access)] },
    orderBy: { id: direction === 'forward' ? 'asc' : 'desc' },
    take: limit + 1,
  });
}

/** Writes the given fields. Null when no account within the access has the id. */
export async function changeMerchantAccount(
  { prisma }: Db,
  access: AccountAccess,
  id: string,
  changes: Partial<MerchantAccount>,
): Promise<MerchantAccount | null> {
  if (!isMerchantAccountId(id)) return null;
  const [changed] = await prisma.merchantAccount.updateManyAndReturn({
    where: { AND: [{ id }, idWithin(access)] },
    data: changes,
  });
  return changed ?? null;
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
  return await db.query<ApiKeyPair>({
    name: 'api_key_pairs_by_id',
    text: `SELECT ${COLUMNS} FROM api_key_pair WHERE id = ANY ($2::uuid[]) AND ${WITHIN}`,
    values: [access, ids.filter((id) => isUuid(id))],
  });
}

/** Returns a page with one additional row, newest first, or backward oldest first. A cursor must be a UUID. */
export async function listApiKeyPairsWithin(
  db: Db,
  access: AccountAccess,
  { direction, limit, cursor }: PageRequest,
): Promise<readonly ApiKeyPair[]> {
  const [than, order] = direction === 'forward' ? ['<', 'DESC'] : ['>', 'ASC'];
  return await db.query<ApiKeyPair>({
    name: `api_key_pairs_${direction}`,
    text: `SELECT ${COLUMNS} FROM api_key_pair
      WHERE ${WITHIN} AND ($2::uuid IS NULL OR id ${than} $2) ORDER BY id ${order} LIMIT $3`,
    values: [access, cursor, limit + 1],
  });
}

const COLUMNS = `id, display_name AS "displayName", thumbprint, algorithm, scopes,
  merchant_account_ids AS "merchantAccountIds", active, expires_at AS "expiresAt", last_used_at AS "lastUsedAt",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Only a key for every account can access such keys. $1 is the access. */
const WITHIN = `(cardinality($1::text[]) = 0
  OR (cardinality(merchant_account_ids) > 0 AND merchant_account_ids <@ $1))`;

/**
 * Writes the given fields of a key pair. The caller has found the pair within the access. No field changes the pair's
 * own access.
 */
export async function changeApiKeyPair(
  tx: Tx,
  id: string,
  changes: Partial<Pick<ApiKeyPair, 'displayName' | 'active' | 'expiresAt' | 'updatedAt'>>,
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

/**
 * The SQL expression of the over-capture allowance of a transaction, in minor units. The larger of the merchant
 * account's two limits counts. The allowance never falls below an earlier allowance. It is 0 when nothing is
 * authorised. `t` is transaction, `m` merchant_account.
 */
export const OVER_CAPTURE_ALLOWANCE = `CASE WHEN t.authorized_amount = 0 THEN 0 ELSE greatest(t.over_capture_allowance,
  coalesce(m.over_capture_amount, 0),
  (t.authorized_amount::bigint * coalesce(m.over_capture_percentage, 0) / 100)::int) END`;
