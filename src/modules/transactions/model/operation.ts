import type { UnknownCause } from '../../../connectors/interface/outcome.ts';
import type { RefundedCapture } from '../../../connectors/interface/requests.ts';
import type { Actor } from '../../../platform/database/acting.ts';
import type { AcceptedOutcome, FinalOutcome } from './outcome.ts';
import type { OperationSplits } from './splits.ts';
import type { Transaction, TransactionEvent } from './transaction.ts';

export type OperationKind = PaymentKind | GiftCardKind;

/** The requests to the provider of the payment method. A refund may also go to a gift card. */
export type PaymentKind =
  | 'authorize'
  | 'increase'
  | 'reauthorize'
  | 'capture'
  | 'refund'
  | 'void'
  | 'cancel'
  /** Releases the money of an authorisation that the provider reported after its refusal. Nobody requests it. */
  | 'release';

/**
 * The requests to the provider of gift cards. `redeem` takes money off a card, and `unredeem` reverses a redemption.
 */
export type GiftCardKind = 'redeem' | 'unredeem';

/** The origin of an operation. `provider`: made at the provider without a request from here, in its pages for example. */
export type OperationOrigin = 'requested' | 'provider';

export type OperationStatus = 'pending' | 'succeeded' | 'declined' | 'failed';

/**
 * The reason for the choice of a payment service. The merchant requested the service, it ranks first, or the service
 * before it refused.
 */
export type Choice = 'requested' | 'first' | 'after_failure' | 'after_decline';

/**
 * One authorisation, increase, re-authorisation, capture, refund, void or cancel, or one movement of a gift card's
 * money. Every request to the provider carries the same key (providerKeyOf).
 */
export type Operation = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly transactionId: string;
  /** The service that carries the operation out. */
  readonly paymentServiceId: string;
  readonly kind: OperationKind;
  readonly origin: OperationOrigin;
  /** The refused authorisation that a release ends. Null for other operations. */
  readonly releasesId: string | null;
  /** Null except for an authorisation. */
  readonly choice: Choice | null;
  /**
   * Pending until the provider's explicit yes or no. Meanwhile the operation is under way, accepted (acceptedAt), or of
   * unknown outcome (unknownAt).
   */
  readonly status: OperationStatus;
  /** Minor units of `currency`. */
  readonly amount: number;
  readonly currency: string;
  /** True for a capture after which nothing more is captured. */
  readonly final: boolean;
  readonly idempotencyKey: string | null;
  /** The operation's key at its provider, derived from the caller's idempotency key. Null: the id is the key. */
  readonly providerKey: string | null;
  readonly externalIdentifier: string | null;
  readonly reason: string | null;
  /** The cause of the operation. Null for an operation from before the audit log. */
  readonly actor: Actor | null;
  /** The gift-card redemption that the operation makes, reverses or refunds. Null for other operations. */
  readonly redemptionId: string | null;
  /** The id of the first of several refunds that one request made. Null for other operations. */
  readonly batchId: string | null;
  readonly sealedCard: string | null;
  /** The parameters of the buyer's return. Null before the return, and after the operation's end. */
  readonly sealedReturned: string | null;
  /** The form that the buyer's browser posts to the provider's page. Null without one, and after the end. */
  readonly sealedForm: string | null;
  /** The provider's id of the operation. A pending cancel has the payment's reference from the time of its request. */
  readonly providerReference: string | null;
  readonly errorCode: string | null;
  readonly rawResponseCode: string | null;
  readonly rawResponseDescription: string | null;
  /** The issuer's approval code of an authorisation. */
  readonly authResponseCode: string | null;
  /** The response code of the scheme or the issuer, two to four digits or capital letters. */
  readonly networkResponseCode: string | null;
  /** The scheme's advice about a retry, two digits. */
  readonly merchantAdviceCode: string | null;
  /** The part of the amount that the provider took back after its success. Never more than `amount`. */
  readonly reversedAmount: number;
  /** The reversals behind `reversedAmount`, oldest first. Null without a reversal. */
  readonly reversals: readonly Reversal[] | null;
  /**
   * The captures that a refund of the payment method is of, oldest first. The claim fixes them, so each sending names the
   * same. Null for other operations.
   */
  readonly refundCaptures: readonly AllocatedCapture[] | null;
  /**
   * The shares of a capture or a refund. The claim fixes them, so each sending has the same. Null for other operations, and for a
   * payment without shares.
   */
  readonly splits: OperationSplits | null;
  /** True when an authorisation asks the provider for its own name of the payment method. Each sending repeats it. */
  readonly tokenizes: boolean;
  /** True before the first sending. The buyer's challenge, the fraud check and the gift cards come before it. */
  readonly unsent: boolean;
  /** The number of requests to the provider, look-ups included. */
  readonly attempts: number;
  /** The time at which the operation itself was last sent. */
  readonly sentAt: Date;
  /** The time at which the provider accepted the operation and postponed its decision. */
  readonly acceptedAt: Date | null;
  /**
   * The end of the time within which the provider decides about an accepted operation. The outcome is unknown after that.
   * Null before the acceptance.
   */
  readonly decisionUntil: Date | null;
  /** The time since when the outcome is unknown, with its cause. Null when the outcome is not unknown. */
  readonly unknownAt: Date | null;
  readonly unknownCause: UnknownWhy | null;
  /** The end of the lease of the process that calls the provider. Null when no process has a lease. */
  readonly leaseUntil: Date | null;
  /**
   * The time at which reconciliation claims the operation if it is still pending. Null when reconciliation leaves it
   * alone.
   */
  readonly nextAttemptAt: Date | null;
  readonly settledAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** One reversal of a success, as the operation keeps it. */
export type Reversal = {
  /** Tells the reversals of one operation apart: the provider's id of the reversal, or else of its event. */
  readonly key: string;
  /** Minor units of the operation's currency. */
  readonly amount: number;
  readonly errorCode: string;
  /** The time of the booking, as ISO text. */
  readonly at: string;
  /** The smallest amount of the provider, in minor units, that divides the shares of the reversal. Absent: 1. */
  readonly unit?: number;
};

/** A capture with the part of a refund that is of this capture, and with our id of the capture. */
export type AllocatedCapture = RefundedCapture & { readonly operationId: string };

/** Returns the reason of the latest reversal. Null without a reversal. */
export const reversalCodeOf = ({ reversals }: Pick<Operation, 'reversals'>): string | null =>
  reversals?.at(-1)?.errorCode ?? null;

/** Returns the time of the latest reversal. Null without a reversal. */
export function reversedAtOf({ reversals }: Pick<Operation, 'reversals'>): Date | null {
  const latest = reversals?.at(-1);
  return latest ? new Date(latest.at) : null;
}

/**
 * The cause of an unknown outcome.
 * - `interrupted`: the calling process died, or stood still for longer than its lease.
 * - `undecided`: the provider accepted the operation, and did not decide in its time.
 */
export type UnknownWhy = UnknownCause | 'interrupted' | 'undecided';

/**
 * The mutation that makes each kind of operation. Idempotency keys are stored under its name. A release and the operations of
 * a gift card carry no key.
 */
export const mutationOf = {
  authorize: 'createTransaction',
  increase: 'increaseAuthorization',
  reauthorize: 'reauthorizeTransaction',
  capture: 'captureTransaction',
  refund: 'refundTransaction',
  void: 'voidTransaction',
  cancel: 'cancelTransaction',
  release: 'cancelTransaction',
  redeem: 'createTransaction',
  unredeem: 'createTransaction',
} as const satisfies Record<OperationKind, string>;

/** The mutation that ends a review, and may make a capture or a void. */
export const RESOLVE_REVIEW = 'resolveReview';

/**
 * Returns the event of an outcome in the lifecycle. Null means that the status stays. The authorisation of a sale also
 * captures.
 * A refused capture or void changes the status only after the provider had accepted it. The rules decide that on the
 * locked row.
 */
export function lifecycleEventOf(
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
  increase: { accepted: null, succeeded: null, declined: null, failed: null },
  reauthorize: { accepted: null, succeeded: null, declined: null, failed: null },
  refund: { accepted: null, succeeded: null, declined: null, failed: null },
  cancel: { accepted: null, succeeded: 'cancel', declined: null, failed: null },
  // The payment keeps its status, which another payment service may have decided.
  release: { accepted: null, succeeded: null, declined: null, failed: null },
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
  /** The moment of a stored result. Absent from a present state. */
  readonly asOf?: Date;
};
