import type { ReviewDecision } from '../../../client/generated/schema.ts';
import { RefusedError } from '../../../client/operations/errors.ts';
import { api, isUuid } from '../../app/data/api.ts';
import { LINE } from '../differences/query.ts';
import { DISPUTE_LINE } from '../disputes/lines.tsx';
import { REQUEST } from '../refund-requests/query.ts';
import { RETRY_PLAN } from '../retry-plans/card.tsx';
import { DECISION } from '../rules/query.ts';

const OPERATION = {
  ...{ id: true, kind: true, amount: true, currency: true, status: true, errorCode: true, origin: true },
  ...{ rawResponseCode: true, rawResponseDescription: true, createdAt: true, settledAt: true },
  unknown: { cause: true, nextAttemptAt: true },
  paymentService: { displayName: true },
  actor: { kind: true, subject: true },
} as const;

const ATTEMPT = {
  ...{ id: true, choice: true, status: true, errorCode: true },
  paymentService: { id: true, displayName: true },
} as const;

const BUYER = {
  displayName: true,
  billingDetails: { firstName: true, lastName: true, emailAddress: true },
} as const;

const DISPUTES = [{ first: 10 }, DISPUTE_LINE] as const;

const SETTLEMENT = {
  totals: { currency: true, gross: true, fee: true, net: true },
  entries: [
    { first: 10 },
    {
      ...{ id: true, kind: true, net: true, currency: true, settledOn: true },
      difference: { reason: true, explanation: true },
    },
  ],
} as const;

const ANTI_FRAUD = { id: true, displayName: true } as const;

const ORDER = {
  ...{ taxAmount: true, shippingAmount: true, dutyAmount: true, amountIncludesTax: true },
  ...{ purchaseOrderNumber: true, merchantTaxId: true, supplierOrderNumber: true },
  cartItems: {
    ...{ name: true, quantity: true, unitAmount: true, discountAmount: true, sku: true, productType: true },
  },
  orderTotals: {
    ...{ itemAmount: true, discountAmount: true, taxAmount: true, shippingAmount: true, dutyAmount: true },
  },
} as const;

const SPLITS = {
  ...{ kind: true, account: true, amount: true, reference: true, capturedAmount: true, refundedAmount: true },
} as const;

/** The parts of a payment that need scopes of their own. */
export type Readable = {
  readonly buyers: boolean;
  readonly disputes: boolean;
  readonly settlements: boolean;
  readonly antiFraud: boolean;
  readonly rules: boolean;
};

const paymentOf = ({ buyers, disputes, settlements, antiFraud, rules }: Readable) =>
  ({
    ...{ id: true, amount: true, currency: true, status: true, country: true, createdAt: true },
    ...{ authorizedAmount: true, capturedAmount: true, refundedAmount: true, giftCardAmount: true },
    ...{ disputeLostAmount: true, method: true, externalIdentifier: true, paymentSource: true },
    ...{ errorCode: true, rawResponseDescription: true, paymentServiceTransactionId: true },
    ...{ intent: true, antiFraudDecision: true, pendingReview: true, reviewOutcome: true },
    ...{ authResponseCode: true, avsResponseCode: true, cvvResponseCode: true },
    ...{ intent: true, installmentCount: true, store: true, instrumentType: true },
    ...ORDER,
    splits: SPLITS,
    ...{ buyerId: true, merchantInitiated: true, isSubsequentPayment: true, metadata: true },
    capturable: { amount: true, currency: true },
    refundable: { amount: true, currency: true },
    refundableAlone: { amount: true, currency: true },
    refundApprovals: [{ first: 20 }, REQUEST],
    card: { scheme: true, network: true, bin: true, lastFour: true, expirationDate: true },
    paymentService: { id: true, displayName: true },
    threeDSecure: { method: true, status: true, version: true, eci: true },
    operations: OPERATION,
    attempts: ATTEMPT,
    circuits: { setBehind: { id: true }, triedAgain: { id: true } },
    refunds: { id: true, reason: true },
    retryPlan: RETRY_PLAN,
    // Without the scope a part is absent.
    buyer: (buyers && BUYER) as typeof BUYER,
    customerReferenceNumber: buyers as true,
    antiFraudService: (antiFraud && ANTI_FRAUD) as typeof ANTI_FRAUD,
    routing: (rules && DECISION) as typeof DECISION,
    settlement: (settlements && SETTLEMENT) as typeof SETTLEMENT,
    disputes: (disputes && DISPUTES) as typeof DISPUTES,
  }) as const;

/** Reads a payment with everything that its page shows. Null without such a payment. */
export async function readPayment(id: string, readable: Readable, signal: AbortSignal) {
  // An address can name anything, and the filter refuses everything but a UUID.
  if (!isUuid(id)) return null;
  const { transaction, declineCodes, differences } = await api.query(
    {
      transaction: [{ id }, paymentOf(readable)],
      declineCodes: { code: true, description: true, goesOn: true },
      differences: [{ first: 10, filter: { transactionId: id, state: ['OPEN'] } }, { nodes: LINE }],
    },
    { signal },
  );
  return transaction && { ...transaction, declineCodes, openDifferences: differences.nodes };
}

/** A payment of the page. */
export type Payment = NonNullable<Awaited<ReturnType<typeof readPayment>>>;

/** The outcome of an act, in the words of the API. */
export type Outcome = { readonly status: string; readonly errorCode: string | null };

const OUTCOME = { status: true, errorCode: true } as const;

/** An act on a payment. A repeated act with the same key has the first outcome. */
type Act<Input> = { readonly id: string; readonly idempotencyKey: string; readonly input: Input };

/** Captures an amount. */
export async function capture(
  act: Act<{ readonly amount: number; readonly final: boolean }>,
): Promise<Outcome> {
  const { captureTransaction } = await api.mutate({ captureTransaction: [act, { capture: OUTCOME }] });
  return captureTransaction.capture ?? UNREAD;
}

/** Refunds an amount to the payment method. Above the limit of the person, the API stores a request. */
export async function refund(
  act: Act<{ readonly amount: number; readonly reason: string | null }>,
): Promise<Outcome> {
  try {
    const { refundTransaction } = await api.mutate({ refundTransaction: [act, { refund: OUTCOME }] });
    return refundTransaction.refund ?? UNREAD;
  } catch (error) {
    if (!(error instanceof RefusedError) || error.refusals[0]?.code !== 'REFUND_APPROVAL_REQUIRED')
      throw error;
    return REQUESTED;
  }
}

/** Releases the authorised amount. */
export async function voidPayment({ id, idempotencyKey }: Omit<Act<never>, 'input'>): Promise<Outcome> {
  const { voidTransaction } = await api.mutate({
    voidTransaction: [{ id, idempotencyKey }, { void: OUTCOME }],
  });
  return voidTransaction.void ?? UNREAD;
}

/** Ends the review of a held payment. The outcome is that of the capture or void, if one follows. */
export async function resolveReview(
  act: Act<{ readonly decision: ReviewDecision; readonly comment: string | null }>,
): Promise<Outcome> {
  const { resolveReview: resolved } = await api.mutate({ resolveReview: [act, { operation: OUTCOME }] });
  return resolved.operation ?? RESOLVED;
}

/** A decision without an operation, because nothing is captured yet. */
const RESOLVED: Outcome = { status: 'SUCCEEDED', errorCode: null };

/** A second person must approve. */
const REQUESTED: Outcome = { status: 'REQUESTED', errorCode: null };

/** The API answers each act that it does not refuse with a record. */
const UNREAD: Outcome = { status: 'PENDING', errorCode: null };
