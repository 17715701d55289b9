import type { Impossible } from '../../door.ts';

/** The requests that Stripe cannot carry out, by the part that prevents them. */
export const IMPOSSIBLE = {
  amount: {
    errorCode: 'invalid_amount',
    sentence:
      'Stripe cannot take this amount in this currency. Give an amount of at most eight digits, without the decimals that Stripe lacks.',
  },
  cardNumber: {
    errorCode: 'unsupported_payment_method',
    sentence:
      'The payment service sends no card numbers to Stripe. Pay with providerToken or a wallet, or set its field raw_card_data to true.',
  },
  check: {
    errorCode: 'invalid_amount',
    sentence: 'Stripe takes no payment of 0 with this payment method. Give an amount above 0.',
  },
  googlePay: {
    errorCode: 'invalid_payment_method',
    sentence:
      'The token of Google Pay is not for Stripe. Ask Google Pay for a token with the gateway `stripe`.',
  },
  means: {
    errorCode: 'unsupported_payment_method',
    sentence:
      'This definition of Stripe cannot take these means. A bank debit takes a bank account. Cards, wallets and tokens need stripe-card. Every other method takes a redirect.',
  },
  networkToken: {
    errorCode: 'unsupported_payment_method',
    sentence:
      'The payment service sends no network tokens to Stripe. Set its field network_tokens to true once Stripe has approved the account.',
  },
  networkTokenCheck: {
    errorCode: 'unsupported_payment_method',
    sentence:
      'Stripe checks no network token with a payment of 0. Pay an amount above 0, or use another payment method.',
  },
  payment: {
    errorCode: 'unknown_service_resource',
    sentence:
      'Stripe has no payment to capture under this id. Check the secret key and the connected account of the payment service.',
  },
  captureShares: {
    errorCode: 'invalid_request_parameters',
    sentence:
      'Stripe refunds the fee of all captures in one proportion. Leave the splits out of the capture, or capture once with `final: true`.',
  },
  refundShares: {
    errorCode: 'invalid_request_parameters',
    sentence:
      'Stripe takes a refund from both accounts in proportion to their shares. Leave the splits out of the refund.',
  },
  several: {
    errorCode: 'unsupported_transaction',
    sentence:
      'Stripe takes one capture only of this payment. Send the capture with `final: true`, which releases the rest.',
  },
  share: {
    errorCode: 'invalid_amount',
    sentence:
      'Stripe cannot express the split of the platform in this currency. Give splits in the steps of the currency at Stripe.',
  },
  splits: {
    errorCode: 'invalid_request_parameters',
    sentence:
      'Stripe pays one recipient, and the fee to the platform itself. Give one split of each kind at most, the fee without an account. The payment service must have no connected account.',
  },
  token: {
    errorCode: 'unknown_payment_method',
    sentence:
      'The token names no payment method of Stripe. Give the id of the payment method that Stripe.js made, which begins with pm_.',
  },
} as const satisfies Readonly<Record<string, Impossible>>;
