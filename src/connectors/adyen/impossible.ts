import type { Impossible } from '../door.ts';

/** The requests that Adyen cannot carry out, by the part that prevents them. */
export const IMPOSSIBLE = {
  amount: {
    errorCode: 'invalid_amount',
    sentence:
      'Adyen cannot take this amount in this currency. Give an amount without the decimals that Adyen lacks.',
  },
  clientToken: {
    errorCode: 'invalid_payment_method',
    sentence:
      "The providerToken is no paymentMethod object of Adyen's own software. Give the object as JSON, unchanged and encrypted.",
  },
  currency: {
    errorCode: 'unsupported_currency',
    sentence: 'Adyen has no such payment method in this currency. Pay in a currency of the definition.',
  },
  fee: {
    errorCode: 'invalid_request_parameters',
    sentence:
      'Adyen books the fee of the platform to its liable account. Give that split without an account.',
  },
  share: {
    errorCode: 'invalid_amount',
    sentence:
      'Adyen cannot express a split in this currency. Give splits in the steps of the currency at Adyen.',
  },
  means: {
    errorCode: 'unsupported_payment_method',
    sentence:
      'This definition of Adyen cannot take these means. Cards, wallets and tokens need adyen-card, and bank accounts adyen-sepa. Every other method takes a redirect.',
  },
  scheme: {
    errorCode: 'unsupported_payment_method',
    sentence: 'adyen-sepa debits SEPA accounts only. Give an IBAN with the scheme SEPA.',
  },
  several: {
    errorCode: 'invalid_operation',
    sentence:
      'The payment service takes one capture of a payment. Send the capture with `final: true`, or set its field multiple_captures.',
  },
  storedToken: {
    errorCode: 'invalid_payment_method',
    sentence:
      'The token names no payment method that Adyen keeps. Pay with a payment method that this payment service stored.',
  },
  windowOrigin: {
    errorCode: 'invalid_request_parameters',
    sentence:
      'nativeThreeDSecure on the web needs window_origin. Give the origin of the page beside the option, such as https://shop.example.',
  },
  walletToken: {
    errorCode: 'invalid_payment_method',
    sentence: "The wallet's token is longer than Adyen allows. Ask the wallet for a new token.",
  },
} as const satisfies Readonly<Record<string, Impossible>>;
