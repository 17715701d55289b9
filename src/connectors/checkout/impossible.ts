import type { Impossible } from '../door.ts';

/** The requests that Checkout.com cannot carry out, by the part that prevents them. */
export const IMPOSSIBLE = {
  amount: {
    errorCode: 'invalid_amount',
    sentence:
      'Checkout.com cannot take this amount in this currency. An amount with three decimals must end with 0.',
  },
  captured: {
    errorCode: 'unexpected_state',
    sentence:
      'Checkout.com has captured money of the payment, so a cancel is not possible. Refund the payment.',
  },
  cardNumber: {
    errorCode: 'unsupported_payment_method',
    sentence:
      'The payment service sends no card numbers. Set its field raw_card_data, or pay with a token of Checkout.com.',
  },
  means: {
    errorCode: 'unsupported_payment_method',
    sentence: 'checkout-card takes cards, wallets, and tokens of Checkout.com. Pay with one of these.',
  },
  publicKey: {
    errorCode: 'invalid_service_configuration',
    sentence:
      'A token of a wallet is exchanged with the public key. Set the field public_key of the payment service.',
  },
  token: {
    errorCode: 'invalid_payment_method',
    sentence:
      'The token names no payment method of Checkout.com. Give a token that begins with tok_, or a stored payment method.',
  },
  walletToken: {
    errorCode: 'invalid_payment_method',
    sentence: "The wallet's token is no JSON object. Give the token unchanged, as the wallet made it.",
  },
} as const satisfies Readonly<Record<string, Impossible>>;
