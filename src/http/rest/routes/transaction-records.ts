import type { Json, RecordForm } from '../route.ts';
import { BILLING_DETAILS, CART_ITEMS, CONTACT, SPLITS, STATEMENT_DESCRIPTOR } from './people-fields.ts';

const text = { type: ['string', 'null'] } as const;

/** The payment method of a payment, made of the card, the stored method and the address for approval. */
const paymentMethod = {
  schema: {
    type: 'object',
    description: 'The method that pays. `id` is that of the stored payment method.',
    properties: {
      ...{ type: { type: 'string', const: 'payment-method' }, method: { type: 'string' } },
      ...{ id: text, approval_url: text, scheme: text, label: text, expiration_date: text, country: text },
      fingerprint: text,
      details: { type: ['object', 'null'], properties: { bin: text }, required: ['bin'] },
    },
    required: ['type', 'method', 'id', 'approval_url', 'scheme', 'label', 'expiration_date', 'details'],
  },
  from: ({ method, card, bank, payment_method: stored, approval_url }: Json): Json => {
    const { scheme, bin, last4, expiration_date, country, fingerprint } = (card ?? {}) as Json;
    return {
      ...{ type: 'payment-method', method, id: ((stored ?? {}) as Json)['id'] ?? null, approval_url },
      ...{ scheme: scheme ?? null, expiration_date: expiration_date ?? null, country: country ?? null },
      label: last4 ?? ((bank ?? {}) as Json)['last4'] ?? null,
      ...(fingerprint !== undefined && { fingerprint }),
      details: bin === undefined ? null : { bin },
    };
  },
} as const;

const giftCardOf = ({ gift_card: card, bin, sub_bin, last4, ...redemption }: Json): Json => ({
  ...{ type: 'gift-card-redemption', ...redemption },
  gift_card: { type: 'gift-card', id: ((card ?? {}) as Json)['id'] ?? null, bin, sub_bin, last4 },
});

const redemptions = {
  schema: {
    type: 'array',
    description: 'The redemptions of gift cards, in their order.',
    items: {
      type: 'object',
      properties: {
        ...{ type: { type: 'string', const: 'gift-card-redemption' }, id: { type: 'string' } },
        ...{ status: { type: 'string' }, amount: { type: 'integer' }, refunded_amount: { type: 'integer' } },
        gift_card: { type: 'object', properties: { id: text }, required: ['id', 'bin', 'sub_bin', 'last4'] },
      },
      required: ['type', 'id', 'status', 'amount', 'refunded_amount', 'gift_card'],
    },
  },
  from: ({ gift_card_redemptions: all }: Json) => (all as readonly Json[]).map(giftCardOf),
} as const;

const MONEY = `amount currency country status intent intentOutcome authorizedAmount capturedAmount refundedAmount
  capturable { amount currency } refundable { amount currency } externalIdentifier paymentSource merchantInitiated
  isSubsequentPayment method instrumentType`;

const METHOD = `card { scheme bin lastFour expirationDate country fingerprint } bank { scheme lastFour debitsOn }
  paymentMethod { id } approvalUrl`;

const PAYER = `buyerId buyer { displayName externalIdentifier accountNumber ${BILLING_DETAILS} }
  shippingDetails { ${CONTACT} }`;

const ORDER = `taxAmount shippingAmount dutyAmount amountIncludesTax purchaseOrderNumber customerReferenceNumber
  merchantTaxId supplierOrderNumber
  orderTotals { itemAmount discountAmount taxAmount shippingAmount dutyAmount taxIncluded }
  splits { kind account amount reference capturedAmount refundedAmount }`;

const RESULT = `errorCode rawResponseCode rawResponseDescription pendingReview paymentLinkId
  paymentService { id type paymentServiceDefinitionId method displayName }`;

const REDEMPTIONS = `giftCardRedemptions { id status amount refundedAmount paymentServiceRedemptionId errorCode
  rawErrorCode rawErrorMessage giftCard { id } bin subBin lastFour }`;

const MOMENTS = 'createdAt updatedAt';

/** A payment with all its members. */
export const transaction: RecordForm = {
  name: 'Transaction',
  on: 'Transaction',
  type: 'transaction',
  fields: `id reconciliationId merchantAccountId ${MONEY} store installmentCount ${METHOD} ${PAYER} ${RESULT}
    threeDSecure { request amount method version status enrollment eci
      responseData { version cavv eci directoryResponse authenticationResponse directoryTransactionId xid
        cavvAlgorithm scheme }
      errorData { code description detail component } }
    schemeTransactionId ${CART_ITEMS} ${ORDER} ${STATEMENT_DESCRIPTOR} metadata connectionOptions integrationClient
    redirectUrl paymentReference antiFraudFingerprint antiFraudDecision antiFraudServiceId
    paymentServiceTransactionId authResponseCode avsResponseCode cvvResponseCode giftCardAmount
    giftCardRedeemedAmount ${REDEMPTIONS} approvalExpiresAt authorizedAt capturedAt voidedAt canceledAt expiredAt
    ${MOMENTS}`,
  hidden: ['card', 'payment_method', 'approval_url', 'gift_card_redemptions'],
  computed: { payment_method: paymentMethod, gift_card_redemptions: redemptions },
};

/** A payment in a list. */
export const transactionSummary: RecordForm = {
  name: 'TransactionSummary',
  on: 'Transaction',
  type: 'transaction',
  fields: `id reconciliationId merchantAccountId ${MONEY} ${METHOD} ${PAYER} ${RESULT} ${MOMENTS}`,
  hidden: ['card', 'payment_method', 'approval_url'],
  computed: { payment_method: paymentMethod },
};

/** A plan of later tries. A payment is answered without its plan, so that no payment waits for the read. */
export const retryPlan: RecordForm = {
  name: 'RetryPlan',
  on: 'RetryPlan',
  type: 'retry-plan',
  fields: `status reason afterHours paydays { days last hour timeZone } untilDays
    tries { id status errorCode createdAt } declinedAt nextTryAt endsAt ${MOMENTS}`,
};

const OUTCOME = 'errorCode rawResponseCode rawResponseDescription';
const UNKNOWN = 'unknown { cause since nextAttemptAt }';

export const capture: RecordForm = {
  name: 'Capture',
  on: 'Capture',
  type: 'capture',
  fields: `id transactionId amount currency status ${UNKNOWN} final ${SPLITS} externalIdentifier paymentServiceCaptureId
    ${OUTCOME} reversedAmount reversedAt reversalCode capturedAt ${MOMENTS}`,
};

export const refund: RecordForm = {
  name: 'Refund',
  on: 'Refund',
  type: 'refund',
  fields: `id transactionId amount currency status ${UNKNOWN} reason ${SPLITS} externalIdentifier redemptionId
    paymentServiceRefundId ${OUTCOME} reversedAmount reversedAt reversalCode ${MOMENTS}`,
  hidden: ['redemption_id'],
  computed: {
    target_type: {
      schema: { type: 'string', enum: ['payment-method', 'gift-card-redemption'] },
      from: ({ redemption_id: id }) => (id === null ? 'payment-method' : 'gift-card-redemption'),
    },
    target_id: {
      schema: { ...text, description: 'The redemption that is refunded. Null for the payment method.' },
      from: ({ redemption_id: id }) => id,
    },
  },
};

export const voided: RecordForm = {
  name: 'Void',
  on: 'Void',
  type: 'void',
  fields: `id transactionId status ${UNKNOWN} ${OUTCOME} voidedAt ${MOMENTS}`,
};

export const cancelled: RecordForm = {
  name: 'Cancel',
  on: 'Cancel',
  type: 'transaction-cancel',
  fields: `id transactionId status ${UNKNOWN} ${OUTCOME} canceledAt ${MOMENTS}`,
};

export const increase: RecordForm = {
  name: 'AuthorizationIncrement',
  on: 'Operation',
  type: 'transaction-authorization-increment',
  fields: `id transactionId amount currency status ${UNKNOWN} ${OUTCOME} ${MOMENTS}`,
};

/** An entry of a payment's history. */
export const historyEntry: RecordForm = {
  name: 'TransactionEvent',
  on: 'TransactionEvent',
  type: 'transaction-event',
  fields: 'id name createdAt context',
};
