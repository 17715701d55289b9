import type { Db, Tx } from '../../../../platform/database/db.ts';
import type { Prisma, ShippingDetails as Row } from '../../../../platform/generated/prisma/client.ts';
import { isUuid } from '../../../../platform/ids.ts';
import type { ShippingDetails } from '../../model/buyer.ts';
import type { ShippingAddress } from '../../model/people.ts';

/** Returns the number of shipping details of a locked buyer. */
export const countOf = (tx: Tx, merchantAccountId: string, buyerId: string): Promise<number> =>
  tx.shippingDetails.count({ where: { merchantAccountId, buyerId } });

/** Inserts shipping details of a locked buyer. */
export async function insertShippingDetails(tx: Tx, details: ShippingDetails): Promise<void> {
  await tx.shippingDetails.create({ data: toRow(details) });
}

/** Returns shipping details, or null if the merchant account has none with this id. */
export async function readShippingDetails(
  tx: Tx,
  merchantAccountId: string,
  id: string,
): Promise<ShippingDetails | null> {
  if (!isUuid(id)) return null;
  const row = await tx.shippingDetails.findFirst({ where: { merchantAccountId, id } });
  return row && fromRow(row);
}

/** Replaces shipping details. */
export async function replaceShippingDetails(tx: Tx, details: ShippingDetails): Promise<void> {
  const { merchantAccountId, id } = details;
  await tx.shippingDetails.updateMany({ where: { merchantAccountId, id }, data: toRow(details) });
}

/** Deletes shipping details. */
export async function removeShippingDetails(
  tx: Tx,
  { merchantAccountId, id }: Pick<ShippingDetails, 'merchantAccountId' | 'id'>,
): Promise<void> {
  await tx.shippingDetails.deleteMany({ where: { merchantAccountId, id } });
}

/** Returns the shipping details of several buyers, oldest first. */
export async function listOfBuyers(
  { prisma }: Db,
  merchantAccountId: string,
  buyerIds: readonly string[],
): Promise<readonly ShippingDetails[]> {
  const rows = await prisma.shippingDetails.findMany({
    where: { merchantAccountId, buyerId: { in: [...buyerIds] } },
    orderBy: { id: 'asc' },
  });
  return rows.map(fromRow);
}

const toRow = ({ id, merchantAccountId, buyerId, createdAt, updatedAt, ...details }: ShippingDetails) => ({
  ...{ id, merchantAccountId, buyerId, createdAt, updatedAt },
  details: details as Prisma.InputJsonObject,
});

/** Maps a row to shipping details. The JSON column has the form that `toRow` writes. */
const fromRow = ({ details, ...row }: Row): ShippingDetails => ({
  ...row,
  ...(details as unknown as ShippingAddress),
});
