import type { Impossible } from '../door.ts';

/** The requests that Mollie cannot carry out, by the part that prevents them. */
export const IMPOSSIBLE = {
  amount: {
    errorCode: 'invalid_amount',
    sentence: 'Mollie cannot take this amount in this currency. Give an amount above 0.',
  },
  buyer: {
    errorCode: 'requires_buyer_authentication',
    sentence:
      'Mollie needs the buyer on its page, and the merchant makes the payment without the buyer. Pay with a stored payment method.',
  },
  captured: {
    errorCode: 'unexpected_state',
    sentence: 'Mollie has the money of the payment, so nothing is left to cancel. Refund the payment.',
  },
  closed: {
    errorCode: 'unexpected_state',
    sentence: 'Mollie holds nothing of the payment any more, and has no capture under our key.',
  },
  means: {
    errorCode: 'unsupported_payment_method',
    sentence:
      "Mollie takes a card on its own page, as a token of Mollie Components, or as a stored payment method. Give one of these in place of the card's number.",
  },
  token: {
    errorCode: 'unknown_payment_method',
    sentence:
      'The token names no payment method that Mollie keeps. Pay with a payment method that this payment service stored.',
  },
} as const satisfies Readonly<Record<string, Impossible>>;
