import type { App } from '../../../app.ts';
import { AMOUNT_MAX, type Money } from '../../../kernel/money.ts';
import type { Tx } from '../../../platform/db.ts';
import type { GiftCard } from '../gift-card.ts';
import { lockGiftCard, replaceGiftCard, withoutSealed } from '../store/gift-cards.ts';
import { recordGiftCardEvent } from './event.ts';

export type GiftCardId = { readonly merchantAccountId: string; readonly id: string };

/** A payment that a stored gift card has paid a part of. */
export type GiftCardUse = GiftCardId & {
  /** Minor units that were redeemed. */
  readonly amount: number;
  /** Whether the buyer initiated the payment. */
  readonly buyerInitiated: boolean;
  readonly usedAt: Date;
};

/**
 * Counts a use of a stored gift card and takes what was redeemed off the balance that is known, in the caller's transaction
 * and with the event. Does nothing when the card has been deleted meanwhile.
 */
export async function recordGiftCardUse(app: App, tx: Tx, use: GiftCardUse): Promise<void> {
  const { amount, buyerInitiated, usedAt } = use;
  await change(app, tx, use, (card) => ({
    ...card,
    usageCount: card.usageCount + 1,
    lastUsedAt: later(card.lastUsedAt, usedAt),
    ...(buyerInitiated && {
      citUsageCount: card.citUsageCount + 1,
      citLastUsedAt: later(card.citLastUsedAt, usedAt),
    }),
    ...moved(card, -amount, usedAt),
  }));
}

/** Adds what was given back to the balance that is known of a stored gift card, in the same way; the uses stay counted. */
export async function recordGiftCardReturn(
  app: App,
  tx: Tx,
  { amount, returnedAt, ...id }: GiftCardId & { readonly amount: number; readonly returnedAt: Date },
): Promise<void> {
  await change(app, tx, id, (card) => ({ ...card, ...moved(card, amount, returnedAt) }));
}

/** What a provider said of a stored gift card, in answer to a question of the moment `askedAt`. */
export type GiftCardNews = GiftCardId & {
  readonly balance: Money;
  readonly expiresAt: Date | null;
  readonly askedAt: Date;
};

/**
 * Writes what a provider said, in the caller's transaction, with an event when it differs from what was known. Does nothing
 * when the card has been deleted, or when something later than the question is known; answers the card as it is now.
 */
export async function updateGiftCardBalance(
  app: App,
  tx: Tx,
  { balance, expiresAt, askedAt, ...id }: GiftCardNews,
): Promise<GiftCard | null> {
  return await change(app, tx, id, (card) => {
    if (card.balanceUpdatedAt > askedAt) return card;
    return {
      ...card,
      balance: balance.amount,
      currency: balance.currency,
      expirationDate: expiresAt,
      balanceUpdatedAt: askedAt,
    };
  });
}

async function change(
  app: App,
  tx: Tx,
  { merchantAccountId, id }: GiftCardId,
  changed: (card: GiftCard) => GiftCard,
): Promise<GiftCard | null> {
  const locked = await lockGiftCard(tx, merchantAccountId, id);
  if (!locked) return null;
  const before = withoutSealed(locked);
  const after = changed(before);
  if (after === before) return before;
  const isNews = TOLD.some((field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]));
  const written = isNews ? { ...after, updatedAt: app.clock.now() } : after;
  await replaceGiftCard(tx, written);
  if (isNews) await recordGiftCardEvent(app, tx, 'updated', written);
  return written;
}

/** That it was asked for again is no change of a card. */
const TOLD = ['balance', 'currency', 'expirationDate', 'usageCount'] as const;

/** The balance is what we know of another's books: it is kept within its bounds, and the next answer corrects it. */
const moved = ({ balance, balanceUpdatedAt }: GiftCard, by: number, at: Date) => ({
  balance: Math.min(Math.max(balance + by, 0), AMOUNT_MAX),
  balanceUpdatedAt: later(balanceUpdatedAt, at),
});

const later = (known: Date | null, moment: Date): Date => (known !== null && known > moment ? known : moment);
