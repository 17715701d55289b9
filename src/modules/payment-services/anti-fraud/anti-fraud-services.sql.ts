import type { PageRequest } from '../../../kernel/page.ts';
import type { Db, Tx } from '../../../platform/database/db.ts';
import type { AntiFraudService as Row } from '../../../platform/generated/prisma/client.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { AntiFraudFallback, StoredAntiFraudService } from './anti-fraud-service.ts';
import type { Field } from '../model/fields.ts';

/** Inserts an anti-fraud service. For a second active one, throws an error that `isDuplicate` recognises. */
export async function insertAntiFraudService(tx: Tx, stored: StoredAntiFraudService): Promise<void> {
  await tx.antiFraudService.create({ data: toRow(stored) });
}

/**
 * Writes a changed service over the state on which the change was decided. Returns false and writes nothing if the row
 * has changed or was deleted since. For a second active service, throws an error that `isDuplicate` recognises.
 */
export async function replaceAntiFraudService(
  tx: Tx,
  before: StoredAntiFraudService,
  after: StoredAntiFraudService,
): Promise<boolean> {
  const { merchantAccountId, id, updatedAt } = before;
  const { merchantAccountId: _account, id: _row, ...data } = toRow(after);
  const { count } = await tx.antiFraudService.updateMany({
    where: { merchantAccountId, id, updatedAt, deletedAt: null },
    data,
  });
  return count === 1;
}

/** Finds one anti-fraud service, even a deleted one. Null when the merchant account has no such service. */
export async function findStoredAntiFraudService(
  { prisma }: Db,
  merchantAccountId: string,
  id: string,
): Promise<StoredAntiFraudService | null> {
  if (!isUuid(id)) return null;
  const row = await prisma.antiFraudService.findFirst({ where: { merchantAccountId, id } });
  return row && fromRow(row);
}

/**
 * Finds the anti-fraud service of a webhook address, even a deleted one, or null. The token alone identifies the
 * merchant account.
 */
export async function findAntiFraudByWebhookToken(
  { prisma }: Db,
  webhookToken: string,
): Promise<StoredAntiFraudService | null> {
  const row = await prisma.antiFraudService.findFirst({ where: { webhookToken } });
  return row && fromRow(row);
}

/** Reads the merchant account's anti-fraud services of these ids in no order, deleted ones included. */
export async function findStoredAntiFraudServices(
  { prisma }: Db,
  merchantAccountId: string,
  ids: readonly string[],
): Promise<readonly StoredAntiFraudService[]> {
  const rows = await prisma.antiFraudService.findMany({
    where: { merchantAccountId, id: { in: ids.filter((id) => isUuid(id)) } },
  });
  return rows.map(fromRow);
}

/** Finds the merchant account's active service, or null. */
export async function findActive(
  { prisma }: Db,
  merchantAccountId: string,
): Promise<StoredAntiFraudService | null> {
  const row = await prisma.antiFraudService.findFirst({
    where: { merchantAccountId, active: true, deletedAt: null },
  });
  return row && fromRow(row);
}

/** Reads a page and one row more, newest first or, backward, oldest first. A cursor must be a UUID. */
export async function listStoredAntiFraudServices(
  { prisma }: Db,
  merchantAccountId: string,
  { direction, limit, cursor }: PageRequest,
  deleted: boolean,
): Promise<readonly StoredAntiFraudService[]> {
  const rows = await prisma.antiFraudService.findMany({
    where: {
      merchantAccountId,
      deletedAt: deleted ? { not: null } : null,
      ...(cursor === null ? {} : { id: direction === 'forward' ? { lt: cursor } : { gt: cursor } }),
    },
    orderBy: { id: direction === 'forward' ? 'desc' : 'asc' },
    take: limit + 1,
  });
  return rows.map(fromRow);
}

const toRow = ({ fields, ...columns }: StoredAntiFraudService) => ({ ...columns, fields: [...fields] });

/** Converts a row. `toRow` wrote the JSON column, and the database checks the rule. */
const fromRow = (row: Row): StoredAntiFraudService => ({
  ...row,
  fields: row.fields as Field[],
  fallback: row.fallback as AntiFraudFallback,
});
