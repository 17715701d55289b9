import { z } from 'zod';
import { amount, optional } from '../../../platform/input/values.ts';
import { giftCardReference, GIFT_CARDS_MAX } from '../../payment-methods/index.ts';

/** A gift card and the amount to redeem. A null amount takes as much as the payment needs and the card holds. */
const giftCard = z.object({ amount: optional(amount(1)) }).and(giftCardReference);

/** Up to ten gift cards. A later check refuses the same card twice, once the numbers are known. */
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

/** Refuses contradictions between gift cards, method and amount. */
export function refuseFunding({
  amount: total,
  store,
  paymentMethod,
  giftCards: cards,
}: Given): readonly { readonly path: string[]; readonly message: string }[] {
  if (!cards) return paymentMethod ? [] : [{ path: ['paymentMethod'], message: NOBODY_PAYS }];
  // The cards have errors of their own, which are reported instead.
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
const TOO_MUCH = 'The gift cards together must not exceed the amount of the transaction.';

/** The refusal without a method for the rest. It also applies when only the provider knows the card's balance. */
export const NOBODY_PAYS_REST =
  'The gift cards do not pay the whole amount: give a payment method for the rest, or another gift card.';
