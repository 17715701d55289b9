import { readRows, type LineOrWhole } from '../../../../platform/database/column-set.ts';
import { queryIn, DB_NULL, type Db, type Tx } from '../../../../platform/database/db.ts';
import type { Buyer as Row, Prisma } from '../../../../platform/generated/prisma/client.ts';
import { isUuid } from '../../../../platform/ids.ts';
import type { Buyer } from '../../model/buyer.ts';
import type { BillingDetails } from '../../model/people.ts';
import { isAmong, prepare } from '../../../../platform/database/statement.ts';
import { BUYER_COLUMNS } from './buyer-columns.ts';

/**
 * Inserts a buyer with its search terms. An external identifier in use throws an error that `isDuplicate`
 * detects.
 */
export async function insertBuyer(tx: Tx, buyer: Buyer, terms: readonly string[]): Promise<void> {
  await tx.buyer.create({ data: toRow(buyer) });
  await writeTerms(tx, buyer, terms);
}

const lockRow = prepare(
  'lock_buyer',
  `SELECT id FROM buyer WHERE merchant_account_id = @account AND id = @id::uuid FOR NO KEY UPDATE`,
);

/** Returns a buyer and locks the row until the transaction ends. Null if the buyer is unknown or deleted. */
export async function lockBuyer(tx: Tx, merchantAccountId: string, id: string): Promise<Buyer | null> {
  if (!isUuid(id)) return null;
  await queryIn(tx).query(lockRow({ account: merchantAccountId, id }));
  const row = await tx.buyer.findFirst({ where: { merchantAccountId, id, deletedAt: null } });
  return row && fromRow(row);
}

/** Replaces a locked buyer and its search terms. */
export async function replaceBuyer(tx: Tx, buyer: Buyer, terms: readonly string[]): Promise<void> {
  const { merchantAccountId, id } = buyer;
  await tx.buyer.updateMany({ where: { merchantAccountId, id }, data: toRow(buyer) });
  await tx.buyerTerm.deleteMany({ where: { merchantAccountId, buyerId: id } });
  await writeTerms(tx, buyer, terms);
}

/**
 * Erases the data of a locked buyer and its shipping details. The row stays for the records that refer to the
 * buyer.
 */
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

/** True if the merchant account had a buyer with this id that is deleted. */
export async function isDeleted({ prisma }: Db, merchantAccountId: string, id: string): Promise<boolean> {
  if (!isUuid(id)) return false;
  const where = { merchantAccountId, id, deletedAt: { not: null } };
  return (await prisma.buyer.findFirst({ where, select: { id: true } })) !== null;
}

const byIds = (columns: LineOrWhole) =>
  prepare(
    `read_buyers_${columns}`,
    `SELECT ${BUYER_COLUMNS[columns].select('b')} FROM buyer b
     WHERE b.merchant_account_id = @account AND b.deleted_at IS NULL AND ${isAmong('b.id', '@ids::uuid[]')}`,
  );

const byIdsStatements = { line: byIds('line'), whole: byIds('whole') };

/** Returns the merchant account's buyers with the given ids, unsorted, without deleted buyers. They have the fields of `columns`. */
export async function findBuyersByIds(
  db: Db,
  account: string,
  ids: readonly string[],
  columns: LineOrWhole = 'whole',
): Promise<readonly Buyer[]> {
  const statement = byIdsStatements[columns]({ account, ids: ids.filter((id) => isUuid(id)) });
  return await readRows(db, statement, BUYER_COLUMNS[columns]);
}

const byExternalIdentifiers = prepare(
  'read_buyers_by_external_identifier',
  `SELECT ${BUYER_COLUMNS.whole.select('b')} FROM buyer b
   WHERE b.merchant_account_id = @account AND b.deleted_at IS NULL AND ${isAmong('b.external_identifier', '@identifiers::text[]')}`,
);

/** Returns the merchant account's buyers with the given external identifiers, unsorted. */
export async function findBuyersByExternalIdentifiers(
  db: Db,
  account: string,
  given: readonly string[],
): Promise<readonly Buyer[]> {
  // Postgres refuses a text with U+0000, and no buyer has such an identifier.
  const identifiers = given.filter((identifier) => !identifier.includes('\0'));
  return await readRows(db, byExternalIdentifiers({ account, identifiers }), BUYER_COLUMNS.whole);
}

/** Returns the id of the buyer with an external identifier, or null. */
export async function findBuyerIdBy(
  { prisma }: Db,
  merchantAccountId: string,
  externalIdentifier: string,
): Promise<string | null> {
  const where = { merchantAccountId, externalIdentifier, deletedAt: null };
  return (await prisma.buyer.findFirst({ where, select: { id: true } }))?.id ?? null;
}

async function writeTerms(tx: Tx, { merchantAccountId, id }: Buyer, terms: readonly string[]): Promise<void> {
  await tx.buyerTerm.createMany({ data: terms.map((term) => ({ merchantAccountId, buyerId: id, term })) });
}

const toRow = ({ billingDetails, ...columns }: Buyer) => ({
  ...columns,
  billingDetails: (billingDetails as Prisma.InputJsonObject | null) ?? DB_NULL,
});

/** Maps a row to a buyer. The JSON column has the form that `toRow` writes. */
const fromRow = ({ deletedAt: _deletedAt, billingDetails, ...row }: Row): Buyer => ({
  ...row,
  billingDetails: billingDetails as BillingDetails | null,
});
