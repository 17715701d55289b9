import type { App } from '../../../app.ts';
import { AMOUNT_MAX, type Money } from '../../../kernel/money.ts';
import type { Tx } from '../../../platform/database/db.ts';
import type { GiftCard } from '../model/gift-card.ts';
import { lockGiftCard, replaceGiftCard, withoutSealed } from '../store/gift-cards.ts';
import { recordGiftCardEvent } from './event.ts';

export type GiftCardId = { readonly merchantAccountId: string; readonly id: string };

/** A payment that a stored gift card paid in part. */
export type GiftCardUse = GiftCardId & {
  /** The redeemed amount, in minor units. */
  readonly amount: number;
  /** True if the buyer initiated the payment. */
  readonly buyerInitiated: boolean;
  readonly usedAt: Date;
};

/**
 * Counts a use of a stored gift card and subtracts the redeemed amount from the known balance.
 *
 * Runs in the caller's transaction and writes the event. Does nothing if the card is deleted.
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
    ...balanceAfter(card, -amount, usedAt),
  }));
}

/**
 * Adds a returned amount to the known balance of a stored gift card. The number of uses stays.
 *
 * Runs in the caller's transaction and writes the event. Does nothing if the card is deleted.
 */
export async function recordGiftCardReturn(
  app: App,
  tx: Tx,
  { amount, returnedAt, ...id }: GiftCardId & { readonly amount: number; readonly returnedAt: Date },
): Promise<void> {
  await change(app, tx, id, (card) => ({ ...card, ...balanceAfter(card, amount, returnedAt) }));
}

/** A provider's answer about a stored gift card, to a request sent at `requestedAt`. */
export type GiftCardAnswer = GiftCardId & {
  readonly balance: Money;
  readonly expiresAt: Date | null;
  readonly requestedAt: Date;
};

/**
 * Writes a provider's answer in the caller's transaction, with an event for a change. Returns the card's
 * current state.
 *
 * Writes nothing if the card is deleted or if the known balance is newer than the request.
 */
export async function updateGiftCardBalance(
  app: App,
  tx: Tx,
  { balance, expiresAt, requestedAt, ...id }: GiftCardAnswer,
): Promise<GiftCard | null> {
  return await change(app, tx, id, (card) => {
    if (card.balanceUpdatedAt > requestedAt) return card;
    return {
      ...card,
      balance: balance.amount,
      currency: balance.currency,
      expirationDate: expiresAt,
      balanceUpdatedAt: requestedAt,
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
  const isChange = EVENT_FIELDS.some(
    (field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]),
  );
  const written = isChange ? { ...after, updatedAt: app.clock.now() } : after;
  await replaceGiftCard(tx, written);
  if (isChange) await recordGiftCardEvent(app, tx, 'updated', written);
  return written;
}

/** Fields whose change is an event. The time of the last balance check is no change. */
const EVENT_FIELDS = ['balance', 'currency', 'expirationDate', 'usageCount'] as const;

/**
 * Returns the balance after a payment or return. The provider keeps the real balance, so ours is limited to
 * valid values until the next answer.
 */
const balanceAfter = ({ balance, balanceUpdatedAt }: GiftCard, by: number, at: Date) => ({
  balance: Math.min(Math.max(balance + by, 0), AMOUNT_MAX),
  balanceUpdatedAt: later(balanceUpdatedAt, at),
});

const later = (known: Date | null, moment: Date): Date => (known !== null && known > moment ? known : moment);
