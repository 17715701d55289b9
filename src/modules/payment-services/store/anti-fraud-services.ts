import type { PageRequest } from '../../../kernel/page.ts';
import type { Db, Tx } from '../../../platform/db.ts';
import type { AntiFraudService as Row } from '../../../platform/generated/prisma/client.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { StoredAntiFraudService } from '../anti-fraud/anti-fraud-service.ts';
import type { Field } from '../fields.ts';

/** Inserts an anti-fraud service; a second active one throws what `isDuplicate` knows. */
export async function insertAntiFraudService(tx: Tx, stored: StoredAntiFraudService): Promise<void> {
  await tx.antiFraudService.create({ data: toRow(stored) });
}

/**
 * Writes a changed service over the state that the change was decided on. False when the row has been changed or deleted
 * since, and nothing is written. A second active one throws what `isDuplicate` knows.
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

/** One anti-fraud service, a deleted one included; null when the merchant account has none of this id. */
export async function findStoredAntiFraudService(
  { prisma }: Db,
  merchantAccountId: string,
  id: string,
): Promise<StoredAntiFraudService | null> {
  if (!isUuid(id)) return null;
  const row = await prisma.antiFraudService.findFirst({ where: { merchantAccountId, id } });
  return row && fromRow(row);
}

/** The anti-fraud service of a webhook address, a deleted one included; null when there is none. The token says whose it is. */
export async function findAntiFraudByWebhookToken(
  { prisma }: Db,
  webhookToken: string,
): Promise<StoredAntiFraudService | null> {
  const row = await prisma.antiFraudService.findFirst({ where: { webhookToken } });
  return row && fromRow(row);
}

/** Those of the ids that name an anti-fraud service of the merchant account, deleted ones included, in no order. */
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

/** The merchant account's active service; null when none is. */
export async function findActive(
  { prisma }: Db,
  merchantAccountId: string,
): Promise<StoredAntiFraudService | null> {
  const row = await prisma.antiFraudService.findFirst({
    where: { merchantAccountId, active: true, deletedAt: null },
  });
  return row && fromRow(row);
}

/** A page with one row more than asked for, newest first or, backward, oldest first. A cursor must be a UUID. */
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

/** The JSON column holds what `toRow` put there. */
const fromRow = (row: Row): StoredAntiFraudService => ({ ...row, fields: row.fields as Field[] });
