import { z } from 'zod';
import { amount, optional } from '../../../platform/values.ts';
import { giftCardReference, GIFT_CARDS_MAX } from '../../payment-methods/index.ts';

/** A gift card, and what to take off it; null: as much as is needed and there. */
const giftCard = z.object({ amount: optional(amount(1)) }).and(giftCardReference);

/** Each gift card may be given once, which is asked where numbers are known. */
export const giftCards = z
  .array(giftCard)
  .min(1, 'Give at least one, or leave it out.')
  .max(GIFT_CARDS_MAX, `Give at most ${GIFT_CARDS_MAX}.`);

export type GiftCardsInput = z.output<typeof giftCards>;

type Given = {
  readonly amount: number;
  readonly store: boolean;
  readonly paymentMethod: unknown;
  readonly giftCards: readonly { readonly amount: number | null }[] | null;
};

/** What is wrong between the fields about who pays what (facts 11, rule 2). */
export function refuseFunding({
  amount: total,
  store,
  paymentMethod,
  giftCards: cards,
}: Given): readonly { readonly path: string[]; readonly message: string }[] {
  if (!cards) return paymentMethod ? [] : [{ path: ['paymentMethod'], message: NOBODY_PAYS }];
  // What is wrong with the cards themselves is said of them.
  if (cards.length === 0 || cards.some((each) => each.amount !== null && each.amount < 1)) return [];
  if (store && !paymentMethod) return [{ path: ['store'], message: NOTHING_TO_STORE }];
  if (total === 0) return [{ path: ['giftCards'], message: NOTHING_TO_TAKE }];
  const sum = cards.reduce((taken, each) => taken + (each.amount ?? 0), 0);
  if (sum > total) return [{ path: ['giftCards'], message: TOO_MUCH }];
  const isFixed = cards.every((each) => each.amount !== null);
  return isFixed && sum < total && !paymentMethod
    ? [{ path: ['paymentMethod'], message: NOBODY_PAYS_REST }]
    : [];
}

const NOBODY_PAYS = 'Give a payment method, gift cards, or both.';
const NOTHING_TO_STORE = 'Must be false: there is no payment method to store.';
const NOTHING_TO_TAKE = 'Nothing can be taken off a gift card for an amount of 0.';
const TOO_MUCH = 'Together they must not take more than the amount of the transaction.';

/** Also when only the provider knows how much that is. */
export const NOBODY_PAYS_REST =
  'The gift cards do not pay all of it: give a payment method for the rest, or another gift card.';
