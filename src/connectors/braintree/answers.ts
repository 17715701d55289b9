import { z } from 'zod';

const text = z.string().nullish().catch(null);

/** A moment of Braintree's clock. */
const moment = z.coerce
  .date()
  .nullish()
  .catch(null)
  .transform((given) => given ?? null);

const list = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .nullish()
    .transform((given) => given ?? []);

const amount = z.object({ value: z.string(), currencyCode: z.string() });

/** The answer of a processor. */
const response = z
  .object({
    legacyCode: text,
    message: text,
    authorizationId: text,
    cvvResponse: text,
    avsPostalCodeResponse: text,
    avsStreetAddressResponse: text,
  })
  .nullish()
  .catch(null);
export type ProcessorResponse = z.output<typeof response>;

const code = z.object({ code: text }).nullish().catch(null);

/** A change of the status of a payment, with the amount at that time. */
const event = z.object({
  status: z.string(),
  timestamp: moment,
  source: text,
  amount: amount.nullish(),
  processorResponse: response,
  networkResponse: code,
  merchantAdviceCodeResponse: code,
  declineType: text,
  gatewayRejectionReason: text,
  duplicateOf: z
    .object({ id: z.string().min(1) })
    .nullish()
    .catch(null),
});
export type StatusEvent = z.output<typeof event>;

/** The facts of every payment: a transaction, a child capture, or a refund. */
const part = {
  id: z.string().min(1),
  /** The id that the Control Panel and webhooks show. */
  legacyId: z.string().min(1),
  orderId: text,
  createdAt: moment,
  status: z.string(),
  amount,
  /** Newest first. */
  statusHistory: list(event),
};

export const refund = z.object({ ...part, source: text });
export type Refund = z.output<typeof refund>;

export const dispute = z.object({
  id: z.string().min(1),
  type: text,
  status: text,
  amountDisputed: amount,
  receivedDate: moment,
  responseDeadline: moment,
  processorResponse: z.object({ reason: text, reasonCode: text }).nullish().catch(null),
});
export type Dispute = z.output<typeof dispute>;

export const childCapture = z.object({ ...part, refunds: list(refund), disputes: list(dispute) });
/** A capture with a transaction of its own, or a transaction that is captured whole. */
export type Captured = z.output<typeof childCapture>;

const card = {
  brandCode: text,
  bin: text,
  last4: text,
  expirationMonth: text,
  expirationYear: text,
};

export const transaction = childCapture.extend({
  paymentMethodSnapshot: z
    .object({ networkTransactionId: text, creditCard: z.object(card).nullish().catch(null), ...card })
    .nullish()
    .catch(null),
  paymentMethod: z
    .object({ id: z.string().min(1), usage: text })
    .nullish()
    .catch(null),
  partialCaptureDetails: z
    .object({
      childCaptures: list(childCapture),
      parentAuthorization: z.object({ id: z.string().min(1) }).nullish(),
    })
    .nullish(),
});
export type Transaction = z.output<typeof transaction>;

/** A dispute, with the texts of its evidence. */
export const disputeAnswer = z.object({
  node: z
    .object({
      __typename: z.literal('Dispute'),
      type: text,
      status: text,
      evidence: list(z.object({ content: text })),
    })
    .nullable(),
});
export type DisputeState = NonNullable<z.output<typeof disputeAnswer>['node']>;

/** Returns the captures of a transaction that have transactions of their own. */
export const childrenOf = ({ partialCaptureDetails }: Transaction): readonly Captured[] =>
  partialCaptureDetails?.childCaptures ?? [];

/** An object that Braintree may lack. A node of another type has no form here. */
export const nodeAnswer = z.object({ node: transaction.nullable() });

export const searchAnswer = z.object({
  search: z.object({
    transactions: z.object({
      edges: z.array(z.object({ node: transaction })),
      pageInfo: z.object({ hasNextPage: z.boolean() }),
    }),
  }),
});

/** The answers to changes, by their root field. */
export const changeAnswers = {
  authorizeCreditCard: z
    .object({ authorizeCreditCard: z.object({ transaction }) })
    .transform((given) => given.authorizeCreditCard.transaction),
  chargeCreditCard: z
    .object({ chargeCreditCard: z.object({ transaction }) })
    .transform((given) => given.chargeCreditCard.transaction),
  captureTransaction: z
    .object({ captureTransaction: z.object({ transaction }) })
    .transform((given) => given.captureTransaction.transaction),
  partialCaptureTransaction: z
    .object({ partialCaptureTransaction: z.object({ capture: childCapture }) })
    .transform((given) => given.partialCaptureTransaction.capture),
  refundTransaction: z
    .object({ refundTransaction: z.object({ refund }) })
    .transform((given) => given.refundTransaction.refund),
  reverseTransaction: z
    .object({
      reverseTransaction: z.object({
        reversal: z.discriminatedUnion('__typename', [
          transaction.extend({ __typename: z.literal('Transaction') }),
          refund.extend({ __typename: z.literal('Refund') }),
        ]),
      }),
    })
    .transform((given) => given.reverseTransaction.reversal),
};

/** A made name of a card, for one payment. */
export const tokenAnswer = z
  .object({ tokenizeCreditCard: z.object({ paymentMethod: z.object({ id: z.string().min(1) }) }) })
  .transform((given) => given.tokenizeCreditCard.paymentMethod.id);

export const viewerAnswer = z.object({
  viewer: z.object({
    merchant: z
      .object({
        merchantAccounts: z
          .object({
            edges: z.array(z.object({ node: z.object({ id: z.string(), currencyCode: text }) })),
            pageInfo: z.object({ hasNextPage: z.boolean() }),
          })
          .nullish()
          .catch(null),
      })
      .nullish()
      .catch(null),
  }),
});

/** An error of an answer. The class says whether anything was done. */
export const errorAnswer = z.object({
  message: text,
  /** The field of the answer that failed. The root field alone for an error about the request. */
  path: z.array(z.unknown()).nullish().catch(null),
  extensions: z
    .object({ errorClass: text, legacyCode: text, inputPath: z.array(z.unknown()).nullish().catch(null) })
    .nullish()
    .catch(null),
});
export type BraintreeError = z.output<typeof errorAnswer>;

/** An answer of the API, also with the status 200 for an error. */
export const envelope = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: list(errorAnswer),
});
