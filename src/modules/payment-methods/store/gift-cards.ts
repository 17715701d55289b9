import type { PageRequest } from '../../../kernel/page.ts';
import type { Part } from '../../../platform/database/built-statement.ts';
import { columnSet, readRows } from '../../../platform/database/column-set.ts';
import { queryIn, type Db, type Tx } from '../../../platform/database/db.ts';
import { Prisma, type GiftCard as Row } from '../../../platform/generated/prisma/client.ts';
import { given, readIdPage } from '../../../platform/lists/id-page.sql.ts';
import { isUuid } from '../../../platform/ids.ts';
import { equal } from '../../../platform/lists/list-filters.sql.ts';
import type { GiftCard, SealedGiftCard } from '../model/gift-card.ts';
import { isAmong, prepare } from '../../../platform/database/statement.ts';

/** Inserts a gift card. The buyer must be locked. */
export async function insertGiftCard(tx: Tx, card: SealedGiftCard): Promise<void> {
  await tx.giftCard.create({ data: card });
}

const lockRow = prepare(
  'lock_gift_card',
  `SELECT id FROM gift_card WHERE merchant_account_id = @account AND id = @id::uuid FOR NO KEY UPDATE`,
);

/** Returns a gift card and locks the row until the transaction ends. Null if the card is unknown or deleted. */
export async function lockGiftCard(
  tx: Tx,
  merchantAccountId: string,
  id: string,
): Promise<SealedGiftCard | null> {
  if (!isUuid(id)) return null;
  await queryIn(tx).query(lockRow({ account: merchantAccountId, id }));
  const row = await tx.giftCard.findFirst({ where: { merchantAccountId, id, deletedAt: null } });
  return row && sealedFromRow(row);
}

/** Writes the changeable fields of a locked gift card. */
export async function replaceGiftCard(tx: Tx, card: GiftCard): Promise<void> {
  const { merchantAccountId, id } = card;
  const { expirationDate, currency, balance, balanceUpdatedAt, updatedAt } = card;
  const { usageCount, lastUsedAt, citUsageCount, citLastUsedAt } = card;
  await tx.giftCard.updateMany({
    where: { merchantAccountId, id },
    data: {
      ...{ expirationDate, currency, balance, balanceUpdatedAt, updatedAt },
      ...{ usageCount, lastUsedAt, citUsageCount, citLastUsedAt },
    },
  });
}

/** Erases number and PIN of a gift card. The row stays for the records that refer to the card. */
export async function eraseGiftCard(tx: Tx, { merchantAccountId, id }: GiftCard, now: Date): Promise<void> {
  await tx.giftCard.updateMany({
    where: { merchantAccountId, id },
    data: { sealedNumber: null, sealedPin: null, fingerprint: null, deletedAt: now, updatedAt: now },
  });
}

/** True if the merchant account had a gift card with this id that is deleted. */
export async function isGiftCardDeleted(
  { prisma }: Db,
  merchantAccountId: string,
  id: string,
): Promise<boolean> {
  if (!isUuid(id)) return false;
  const where = { merchantAccountId, id, deletedAt: { not: null } };
  return (await prisma.giftCard.findFirst({ where, select: { id: true } })) !== null;
}

/** Returns the merchant account's gift cards with the given ids, unsorted, without deleted cards. */
export async function findGiftCardsByIds(
  { prisma }: Db,
  merchantAccountId: string,
  ids: readonly string[],
): Promise<readonly SealedGiftCard[]> {
  const where = { merchantAccountId, deletedAt: null, id: { in: ids.filter((id) => isUuid(id)) } };
  return (await prisma.giftCard.findMany({ where })).map(sealedFromRow);
}

/** Returns the gift cards of a locked buyer. */
export async function listOfBuyer(
  tx: Tx,
  merchantAccountId: string,
  buyerId: string,
): Promise<readonly SealedGiftCard[]> {
  const rows = await tx.giftCard.findMany({ where: { merchantAccountId, buyerId, deletedAt: null } });
  return rows.map(sealedFromRow);
}

const SECRET: readonly string[] = ['sealedNumber', 'sealedPin', 'fingerprint', 'deletedAt'];

const SHOWN = Object.values(Prisma.GiftCardScalarFieldEnum).filter(
  (field): field is keyof GiftCard & typeof field => !SECRET.includes(field),
);

/** The columns of a gift card without its sealed ones. */
const COLUMNS = columnSet<GiftCard>('shown', SHOWN, SHOWN);

const statementOf = (name: string, column: string) =>
  prepare(
    name,
    `SELECT ${COLUMNS.select('g')} FROM gift_card g
     WHERE g.merchant_account_id = @account AND ${isAmong(`g.${column}`, '@ids::uuid[]')} AND g.deleted_at IS NULL`,
  );

const shownByIds = statementOf('gift_cards_by_id', 'id');
const ofBuyers = statementOf('gift_cards_of_buyers', 'buyer_id');

/** Returns gift cards with the given ids as the API shows them, unsorted, without deleted cards. */
export const findShownByIds = (
  db: Db,
  account: string,
  ids: readonly string[],
): Promise<readonly GiftCard[]> => readRows(db, shownByIds({ account, ids: ids.filter(isUuid) }), COLUMNS);

/** Returns the gift cards of several buyers, unsorted. */
export const listGiftCardsOfBuyers = (
  db: Db,
  account: string,
  buyerIds: readonly string[],
): Promise<readonly GiftCard[]> => readRows(db, ofBuyers({ account, ids: buyerIds.filter(isUuid) }), COLUMNS);

/** Conditions of a list of gift cards. Null matches every value. */
export type GiftCardConditions = {
  readonly buyerId: string | null;
  readonly buyerExternalIdentifier: string | null;
};

/**
 * Reads a page with one row more than requested, newest first, or oldest first if backward. Cursor and id must
 * be UUIDs.
 */
export const listGiftCardRows = (
  db: Db,
  account: string,
  page: PageRequest,
  { buyerId, buyerExternalIdentifier }: GiftCardConditions,
): Promise<readonly GiftCard[]> => {
  const conditions = [
    () => ['t.deleted_at IS NULL'],
    ...given(buyerId, (id) => equal('buyer_id', 'uuid', id)),
    ...given(buyerExternalIdentifier, ofBuyerNamed),
  ];
  return readIdPage(db, { table: 'gift_card', account, columns: COLUMNS, conditions }, page);
};

const ofBuyerNamed =
  (externalIdentifier: string): Part<readonly string[]> =>
  (value) => [
    `t.buyer_id = (SELECT b.id FROM buyer b WHERE b.merchant_account_id = t.merchant_account_id
       AND b.external_identifier = ${value(externalIdentifier)}::text AND b.deleted_at IS NULL)`,
  ];

/** Returns a gift card without its sealed number and PIN. */
export const withoutSealed = ({
  sealedNumber: _number,
  sealedPin: _pin,
  fingerprint: _fingerprint,
  ...card
}: SealedGiftCard): GiftCard => card;

/** Maps a row to a gift card. A table constraint keeps the three secret columns set until the card is deleted. */
function sealedFromRow({ deletedAt: _deletedAt, ...row }: Row): SealedGiftCard {
  const { sealedNumber, sealedPin, fingerprint } = row;
  if (sealedNumber === null || sealedPin === null || fingerprint === null)
    throw new Error(`The gift card ${row.id} has been erased.`);
  return { ...row, sealedNumber, sealedPin, fingerprint };
}
