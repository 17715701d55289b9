import type { PageRequest } from '../../../kernel/page.ts';
import { queryIn, type Db, type Tx } from '../../../platform/db.ts';
import type { GiftCard as Row } from '../../../platform/generated/prisma/client.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { GiftCard, SealedGiftCard } from '../model/gift-card.ts';
import { prepare } from '../../../platform/statement.ts';

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

/** Returns the gift cards of several buyers, unsorted. */
export async function listGiftCardsOfBuyers(
  { prisma }: Db,
  merchantAccountId: string,
  buyerIds: readonly string[],
): Promise<readonly GiftCard[]> {
  const ofBuyers = { buyerId: { in: buyerIds.filter((id) => isUuid(id)) } };
  const rows = await prisma.giftCard.findMany({ where: { merchantAccountId, deletedAt: null, ...ofBuyers } });
  return rows.map(fromRow);
}

/** Conditions of a list of gift cards. Null matches every value. */
export type GiftCardConditions = {
  readonly buyerId: string | null;
  readonly buyerExternalIdentifier: string | null;
};

/**
 * Reads a page with one row more than requested, newest first, or oldest first if backward. Cursor and id must
 * be UUIDs.
 */
export async function listGiftCardRows(
  { prisma }: Db,
  merchantAccountId: string,
  { direction, limit, cursor }: PageRequest,
  { buyerId, buyerExternalIdentifier }: GiftCardConditions,
): Promise<readonly GiftCard[]> {
  const rows = await prisma.giftCard.findMany({
    where: {
      merchantAccountId,
      deletedAt: null,
      ...(buyerId !== null && { buyerId }),
      ...(buyerExternalIdentifier !== null && {
        buyer: { is: { externalIdentifier: buyerExternalIdentifier, deletedAt: null } },
      }),
      ...(cursor === null ? {} : { id: direction === 'forward' ? { lt: cursor } : { gt: cursor } }),
    },
    orderBy: { id: direction === 'forward' ? 'desc' : 'asc' },
    take: limit + 1,
  });
  return rows.map(fromRow);
}

const fromRow = (row: Row): GiftCard => withoutSealed(sealedFromRow(row));

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
