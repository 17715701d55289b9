import type { PageRequest } from '../../kernel/page.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ApiKeyPair as KeyRow, Prisma } from '../../platform/generated/prisma/client.ts';
import { isUuid } from '../../platform/ids.ts';
import type { ApiKeyPair } from './api-key-pair.ts';
import type { ApiKeyAlgorithm, PublicKey } from './key-material.ts';
import type { MerchantAccount } from './merchant-account.ts';
import { isMerchantAccountId, type Reach } from './account-access.ts';

// Accounts and keys belong to the whole instance: what a caller may see of them is led by the reach of its key.

/** Inserts a merchant account; a taken id throws what `isDuplicate` knows. */
export async function insertMerchantAccount(tx: Tx, account: MerchantAccount): Promise<void> {
  await tx.merchantAccount.create({ data: account });
}

/** Inserts a merchant account unless there is one of its id. */
export async function insertMerchantAccountIfAbsent({ prisma }: Db, account: MerchantAccount): Promise<void> {
  await prisma.merchantAccount.createMany({ data: account, skipDuplicates: true });
}

/** Those of the ids that name a merchant account within reach, in no order. */
export async function findMerchantAccountsWithin(
  { prisma }: Db,
  reach: Reach,
  ids: readonly string[],
): Promise<readonly MerchantAccount[]> {
  const within = ids.filter(isMerchantAccountId);
  return await prisma.merchantAccount.findMany({ where: { AND: [{ id: { in: within } }, idWithin(reach)] } });
}

/** A page with one row more than asked for, by id or, backward, against it. */
export async function listMerchantAccountsWithin(
  { prisma }: Db,
  reach: Reach,
  { direction, limit, cursor }: PageRequest,
): Promise<readonly MerchantAccount[]> {
  const behind = cursor === null ? {} : { id: direction === 'forward' ? { gt: cursor } : { lt: cursor } };
  return await prisma.merchantAccount.findMany({
    where: { AND: [behind, idWithin(reach)] },
    orderBy: { id: direction === 'forward' ? 'asc' : 'desc' },
    take: limit + 1,
  });
}

/** Writes the given fields; null when no account within reach has the id. */
export async function changeMerchantAccount(
  { prisma }: Db,
  reach: Reach,
  id: string,
  changes: Partial<MerchantAccount>,
): Promise<MerchantAccount | null> {
  if (!isMerchantAccountId(id)) return null;
  const [changed] = await prisma.merchantAccount.updateManyAndReturn({
    where: { AND: [{ id }, idWithin(reach)] },
    data: changes,
  });
  return changed ?? null;
}

const idWithin = (reach: Reach): Prisma.MerchantAccountWhereInput =>
  reach.length === 0 ? {} : { id: { in: [...reach] } };

/** Inserts a key pair; a public half that is there already throws what `isDuplicate` knows. */
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

/** Those of the ids that name a key pair within reach, in no order. */
export async function findApiKeyPairsWithin(
  db: Db,
  reach: Reach,
  ids: readonly string[],
): Promise<readonly ApiKeyPair[]> {
  return await db.query<ApiKeyPair>({
    name: 'api_key_pairs_by_id',
    text: `SELECT ${COLUMNS} FROM api_key_pair WHERE id = ANY ($2::uuid[]) AND ${WITHIN}`,
    values: [reach, ids.filter((id) => isUuid(id))],
  });
}

/** A page with one row more than asked for, newest first or, backward, oldest first. A cursor must be a UUID. */
export async function listApiKeyPairsWithin(
  db: Db,
  reach: Reach,
  { direction, limit, cursor }: PageRequest,
): Promise<readonly ApiKeyPair[]> {
  const [than, order] = direction === 'forward' ? ['<', 'DESC'] : ['>', 'ASC'];
  return await db.query<ApiKeyPair>({
    name: `api_key_pairs_${direction}`,
    text: `SELECT ${COLUMNS} FROM api_key_pair
      WHERE ${WITHIN} AND ($2::uuid IS NULL OR id ${than} $2) ORDER BY id ${order} LIMIT $3`,
    values: [reach, cursor, limit + 1],
  });
}

const COLUMNS = `id, display_name AS "displayName", thumbprint, algorithm, scopes,
  merchant_account_ids AS "merchantAccountIds", active, expires_at AS "expiresAt", last_used_at AS "lastUsedAt",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** A key for every account is within the reach of such keys only. $1 is the reach. */
const WITHIN = `(cardinality($1::text[]) = 0
  OR (cardinality(merchant_account_ids) > 0 AND merchant_account_ids <@ $1))`;

/** Writes the given fields of a key pair that was found within reach; no field of it says what it reaches. */
export async function changeApiKeyPair(
  tx: Tx,
  id: string,
  changes: Partial<Pick<ApiKeyPair, 'displayName' | 'active' | 'expiresAt' | 'updatedAt'>>,
): Promise<ApiKeyPair | null> {
  const [changed] = await tx.apiKeyPair.updateManyAndReturn({ where: { id }, data: changes });
  return changed ? fromRow(changed) : null;
}

/** A key as tokens are checked with it. */
export type VerifyingKey = ApiKeyPair & PublicKey;

/** The key of a thumbprint, whatever it reaches: it is what says who asks. */
export async function findVerifyingKey({ prisma }: Db, thumbprint: string): Promise<VerifyingKey | null> {
  const row = await prisma.apiKeyPair.findFirst({ where: { thumbprint } });
  // The column holds what `insertApiKeyPair` put there.
  return row && { ...fromRow(row), jwk: row.publicKey as VerifyingKey['jwk'] };
}

/** Notes the minute of a key's last use; one that is noted already, or a later one, stays. */
export async function noteLastUse({ prisma }: Db, id: string, minute: Date): Promise<void> {
  await prisma.apiKeyPair.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: minute } }] },
    data: { lastUsedAt: minute },
  });
}

// A CHECK keeps other algorithms out.
const fromRow = ({ publicKey, ...row }: KeyRow): ApiKeyPair => ({
  ...row,
  algorithm: row.algorithm as ApiKeyAlgorithm,
});

/**
 * How many minor units more than authorised the merchant account allows to capture now, in SQL: of the two limits the one
 * that allows more, and never less than was allowed before; none where nothing is authorised. `t` is transaction, `m`
 * merchant_account.
 */
export const OVER_CAPTURE_ALLOWANCE = `CASE WHEN t.authorized_amount = 0 THEN 0 ELSE greatest(t.over_capture_allowance,
  coalesce(m.over_capture_amount, 0),
  (t.authorized_amount::bigint * coalesce(m.over_capture_percentage, 0) / 100)::int) END`;
