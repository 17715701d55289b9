import type { UnknownCause } from '../../../connectors/outcome.ts';
import type { AcceptedOutcome, FinalOutcome } from './outcome.ts';
import type { Transaction, TransactionEvent } from './transaction.ts';

export type OperationKind = PaymentKind | GiftCardKind;

/** What is asked of the payment method's provider. A refund may also be to a gift card. */
export type PaymentKind = 'authorize' | 'capture' | 'refund' | 'void' | 'cancel';

/** What is asked of the provider of gift cards: to take money off one, and to take that back as if it had not been. */
export type GiftCardKind = 'redeem' | 'unredeem';

export type OperationStatus = 'pending' | 'succeeded' | 'declined' | 'failed';

/** Why an authorisation is asked of a service: the merchant named it, it comes first, or the one before it said no. */
export type Choice = 'requested' | 'first' | 'after_failure' | 'after_decline';

/**
 * One authorisation, capture, refund, void or cancel, or one movement of a gift card's money. Its id is the key that the
 * provider is given on every attempt.
 */
export type Operation = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly transactionId: string;
  /** Whom it is asked of. */
  readonly paymentServiceId: string;
  readonly kind: OperationKind;
  /** Of an authorisation, otherwise null. */
  readonly choice: Choice | null;
  /** Pending until the provider's explicit yes or no: under way, taken on (acceptedAt), or of unknown outcome (unknownAt). */
  readonly status: OperationStatus;
  /** Minor units of `currency`. */
  readonly amount: number;
  readonly currency: string;
  /** Of a capture: nothing is captured after it. */
  readonly final: boolean;
  readonly idempotencyKey: string | null;
  readonly externalIdentifier: string | null;
  readonly reason: string | null;
  /** Of what moves a gift card's money: the redemption that it makes, takes back, or refunds. */
  readonly redemptionId: string | null;
  /** Of refunds that one request made over several instruments: the id of the first of them. */
  readonly batchId: string | null;
  readonly sealedCard: string | null;
  /** The provider's id of it; of a cancel under way, the payment's as it was known when the cancel was asked for. */
  readonly providerReference: string | null;
  readonly errorCode: string | null;
  readonly rawResponseCode: string | null;
  readonly rawResponseDescription: string | null;
  /** Held back while the buyer is challenged, the payment is judged or gift cards are redeemed: the provider has never been sent it. */
  readonly unsent: boolean;
  /** How often the provider was asked, look-ups included. */
  readonly attempts: number;
  /** When the provider was last sent the operation itself. */
  readonly sentAt: Date;
  /** When the provider took it on, to decide later. */
  readonly acceptedAt: Date | null;
  /** Since when the outcome is unknown, and why; null while it is not. */
  readonly unknownAt: Date | null;
  readonly unknownCause: UnknownWhy | null;
  /** Until when somebody is calling the provider; null when nobody is. */
  readonly leaseUntil: Date | null;
  /** When reconciliation takes the operation up, if it is still pending then; null: never again by itself. */
  readonly nextAttemptAt: Date | null;
  readonly settledAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** `interrupted`: the process that asked died, or was paused for longer than its lease. */
export type UnknownWhy = UnknownCause | 'interrupted';

/** The mutation that makes an operation; idempotency keys are kept under its name. Those of a gift card carry no key. */
export const mutationOf = {
  authorize: 'createTransaction',
  capture: 'captureTransaction',
  refund: 'refundTransaction',
  void: 'voidTransaction',
  cancel: 'cancelTransaction',
  redeem: 'createTransaction',
  unredeem: 'createTransaction',
} as const satisfies Record<OperationKind, string>;

/** The mutation that makes a capture or a void of what a review has decided. */
export const RESOLVE_REVIEW = 'resolveReview';

/**
 * What an outcome means for the transaction; null when its status stays. A refused capture or void changes it only when
 * the provider had taken it on before, which settle asks of the locked row. sale: the authorisation is also the capture.
 */
export function eventOf(
  kind: OperationKind,
  sale: boolean,
  outcome: (FinalOutcome | AcceptedOutcome)['kind'],
): TransactionEvent | null {
  if (kind === 'authorize') return sale ? SALE[outcome] : AUTHORIZE[outcome];
  return FOLLOW_UP[kind][outcome];
}

type Events = Readonly<Record<(FinalOutcome | AcceptedOutcome)['kind'], TransactionEvent | null>>;

const AUTHORIZE: Events = { accepted: null, succeeded: 'authorize', declined: 'decline', failed: 'fail' };
const SALE: Events = { accepted: 'accept_sale', succeeded: 'sale', declined: 'decline', failed: 'fail' };

const FOLLOW_UP: Readonly<Record<Exclude<OperationKind, 'authorize'>, Events>> = {
  capture: {
    accepted: 'accept_capture',
    succeeded: 'capture',
    declined: 'refuse_capture',
    failed: 'refuse_capture',
  },
  void: { accepted: 'accept_void', succeeded: 'void', declined: 'refuse_void', failed: 'refuse_void' },
  refund: { accepted: null, succeeded: null, declined: null, failed: null },
  cancel: { accepted: null, succeeded: 'cancel', declined: null, failed: null },
  redeem: { accepted: null, succeeded: null, declined: null, failed: null },
  unredeem: { accepted: null, succeeded: null, declined: null, failed: null },
};

/** The payment service of an operation, as events and history name the service. */
export type AskedService = {
  readonly id: string;
  readonly displayName: string;
  readonly definitionId: string;
};

/**
 * The current state of an operation and its transaction. A claim also knows the version of the transaction and the payment service.
 * Settling then reads neither.
 */
export type Operated = {
  readonly operation: Operation;
  readonly transaction: Transaction;
  readonly version?: string | null;
  readonly connection?: AskedService;
};
