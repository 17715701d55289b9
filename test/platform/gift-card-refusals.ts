import type { Refusal } from './settlement-refusals.ts';

/** Payments beside gift cards, and their increases, that the database refuses. */
export const GIFT_CARD_REFUSALS: readonly Refusal[] = [
  [
    'more by gift cards than there is',
    'transaction',
    { gift_card_amount: 1300 },
    'transaction_gift_cards_check',
  ],
  [
    'increases of more than is authorised',
    'transaction',
    { increased_amount: 1300 },
    'transaction_increased_check',
  ],
  [
    'more authorised than gift cards leave and increases add',
    'transaction',
    { gift_card_amount: 2, increased_amount: 1 },
    'transaction_gift_cards_check',
  ],
  [
    'more authorised than gift cards leave',
    'transaction',
    { gift_card_amount: 1 },
    'transaction_gift_cards_check',
  ],
];
