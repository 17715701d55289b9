import type { PageRequest } from '../../../kernel/page.ts';
import { DB_NULL, type Db, type Tx } from '../../../platform/db.ts';
import type { Buyer as Row, Prisma } from '../../../platform/generated/prisma/client.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { Buyer } from '../buyer.ts';
import type { BillingDetails } from '../people.ts';

/** Inserts a buyer with what it is found by; an external identifier that is taken throws what `isDuplicate` knows. */
export async function insertBuyer(tx: Tx, buyer: Buyer, terms: readonly string[]): Promise<void> {
  await tx.buyer.create({ data: toRow(buyer) });
  await writeTerms(tx, buyer, terms);
}

/** A buyer as it is now, kept from being changed until the transaction ends; null when there is none, or no more. */
export async function lockBuyer(tx: Tx, merchantAccountId: string, id: string): Promise<Buyer | null> {
  if (!isUuid(id)) return null;
  await tx.$executeRaw`
    SELECT FROM buyer WHERE merchant_account_id = ${merchantAccountId} AND id = ${id}::uuid FOR NO KEY UPDATE`;
  const row = await tx.buyer.findFirst({ where: { merchantAccountId, id, deletedAt: null } });
  return row && fromRow(row);
}

/** Writes a buyer that is locked, and what it is found by, in place of what was. */
export async function replaceBuyer(tx: Tx, buyer: Buyer, terms: readonly string[]): Promise<void> {
  const { merchantAccountId, id } = buyer;
  await tx.buyer.updateMany({ where: { merchantAccountId, id }, data: toRow(buyer) });
  await tx.buyerTerm.deleteMany({ where: { merchantAccountId, buyerId: id } });
  await writeTerms(tx, buyer, terms);
}

/** Erases what is known of a buyer that is locked, with its shipping details. The row stays, for what refers to it. */
export async function eraseBuyer(tx: Tx, { merchantAccountId, id }: Buyer, now: Date): Promise<void> {
  const ofBuyer = { merchantAccountId, buyerId: id };
  await tx.buyerTerm.deleteMany({ where: ofBuyer });
  await tx.shippingDetails.deleteMany({ where: ofBuyer });
  await tx.buyer.updateMany({
    where: { merchantAccountId, id },
    data: {
      displayName: null,
      externalIdentifier: null,
      accountNumber: null,
      billingDetails: DB_NULL,
      deletedAt: now,
      updatedAt: now,
    },
  });
}

/** Whether the merchant account had a buyer of this id that has been deleted. */
export async function isDeleted({ prisma }: Db, merchantAccountId: string, id: string): Promise<boolean> {
  if (!isUuid(id)) return false;
  const where = { merchantAccountId, id, deletedAt: { not: null } };
  return (await prisma.buyer.findFirst({ where, select: { id: true } })) !== null;
}

/** Those of the ids that name a buyer of the merchant account, in no order; deleted ones are left out. */
export async function findBuyersByIds(
  { prisma }: Db,
  merchantAccountId: string,
  ids: readonly string[],
): Promise<readonly Buyer[]> {
  const rows = await prisma.buyer.findMany({
    where: { merchantAccountId, deletedAt: null, id: { in: ids.filter((id) => isUuid(id)) } },
  });
  return rows.map(fromRow);
}

/** The id of the buyer that has an external identifier; null when none has. */
export async function findBuyerIdBy(
  { prisma }: Db,
  merchantAccountId: string,
  externalIdentifier: string,
): Promise<string | null> {
  const where = { merchantAccountId, externalIdentifier, deletedAt: null };
  return (await prisma.buyer.findFirst({ where, select: { id: true } }))?.id ?? null;
}

/** Null: whatever it is. All of the words must be the beginning of one of the terms. */
export type BuyerConditions = {
  readonly externalIdentifier: string | null;
  readonly words: readonly string[];
};

/** A page with one row more than asked for, newest first or, backward, oldest first. A cursor must be a UUID. */
export async function listBuyerRows(
  { prisma }: Db,
  merchantAccountId: string,
  { direction, limit, cursor }: PageRequest,
  { externalIdentifier, words }: BuyerConditions,
): Promise<readonly Buyer[]> {
  const rows = await prisma.buyer.findMany({
    where: {
      merchantAccountId,
      deletedAt: null,
      ...(externalIdentifier !== null && { externalIdentifier }),
      AND: words.map((word) => ({ terms: { some: beginsWith(word) } })),
      ...(cursor === null ? {} : { id: direction === 'forward' ? { lt: cursor } : { gt: cursor } }),
    },
    orderBy: { id: direction === 'forward' ? 'desc' : 'asc' },
    take: limit + 1,
  });
  return rows.map(fromRow);
}

/** As a range, which an index sorted by code point answers; nothing sorts behind the last code point. */
const beginsWith = (word: string) => ({
  term: { gte: word, lt: word + String.fromCodePoint(0x10ffff) },
});

async function writeTerms(tx: Tx, { merchantAccountId, id }: Buyer, terms: readonly string[]): Promise<void> {
  await tx.buyerTerm.createMany({ data: terms.map((term) => ({ merchantAccountId, buyerId: id, term })) });
}

const toRow = ({ billingDetails, ...columns }: Buyer) => ({
  ...columns,
  billingDetails: (billingDetails as Prisma.InputJsonObject | null) ?? DB_NULL,
});

/** The JSON column holds what `toRow` put there. */
const fromRow = ({ deletedAt: _deletedAt, billingDetails, ...row }: Row): Buyer => ({
  ...row,
  billingDetails: billingDetails as BillingDetails | null,
});
