import type { Impossible } from '../door.ts';

/** The requests that Braintree cannot carry out, by the part that prevents them. */
export const IMPOSSIBLE = {
  amount: {
    errorCode: 'invalid_amount',
    sentence: 'Braintree cannot take this amount in this currency. Give an amount above 0.',
  },
  captured: {
    errorCode: 'unexpected_state',
    sentence: 'The payment was captured at Braintree, so nothing is left to release. Refund the payment.',
  },
  currency: {
    errorCode: 'unsupported_currency',
    sentence:
      'The payment service has no merchant account of this currency. Add a line such as `EUR acme_eur` to its field merchant_accounts.',
  },
  eci: {
    errorCode: 'invalid_request_parameters',
    sentence:
      'Braintree takes a result of 3-D Secure only with its ECI. Send the ECI, or the payment without the result.',
  },
  means: {
    errorCode: 'unsupported_payment_method',
    sentence: "Give a card, a stored payment method, or a name that Braintree's software in the client made.",
  },
  several: {
    errorCode: 'invalid_operation',
    sentence:
      'The payment service takes one capture of a payment. Send the capture with `final: true`, or set its field multiple_captures.',
  },
  unsettled: {
    errorCode: 'unexpected_state',
    sentence:
      'Braintree refunds a part of a capture only after its settlement, which takes a day or two. Refund the whole capture now, or a part later.',
  },
  unsettledSeveral: {
    errorCode: 'unexpected_state',
    sentence:
      'Braintree refunds several captures at once only after their settlement, which takes a day or two. Refund one whole capture at a time now, or several later.',
  },
} as const satisfies Readonly<Record<string, Impossible>>;
