import type { Impossible } from '../door.ts';

/** The requests that PayPal cannot carry out, by the part that prevents them. */
export const IMPOSSIBLE = {
  amount: {
    errorCode: 'invalid_amount',
    sentence:
      'PayPal cannot take this amount in this currency. Give an amount above 0, in HUF and TWD without decimals.',
  },
  authorization: {
    errorCode: 'invalid_operation',
    sentence:
      'The order at PayPal has no authorisation. A payment that was captured at once is given back by a refund.',
  },
  capture: {
    errorCode: 'unknown_service_resource',
    sentence:
      'PayPal has no capture of this payment under our id. Find the payment in the PayPal account, and refund the buyer there.',
  },
  captured: {
    errorCode: 'unexpected_state',
    sentence: 'PayPal has captured the payment, so nothing is left to cancel. Refund the payment.',
  },
  means: {
    errorCode: 'unsupported_payment_method',
    sentence:
      "PayPal takes money from the buyer's PayPal account only. Pay with the method `paypal`, or with a stored PayPal account.",
  },
  share: {
    errorCode: 'invalid_amount',
    sentence:
      'PayPal cannot express the split of the platform in this currency. Give splits in HUF and TWD without decimals.',
  },
  splits: {
    errorCode: 'invalid_request_parameters',
    sentence: 'PayPal pays one recipient and one fee of a platform. Give one split of each kind at most.',
  },
  token: {
    errorCode: 'unknown_payment_method',
    sentence:
      'The token names no payment method that PayPal keeps. Pay with a payment method that this payment service stored.',
  },
} as const satisfies Readonly<Record<string, Impossible>>;
