import type { Feature } from '../../../connectors/interface/definition.ts';
import type {
  IdempotencyRefusal,
  InvalidInput,
  NotFound,
  ProviderUnavailable,
} from '../../../kernel/refusal.ts';
import type { GiftCardRefused, TooManyCardNumbers } from '../../payment-methods/index.ts';
import type { Money } from '../../../kernel/money.ts';
import type { OperationStatus, PaymentKind } from './operation.ts';
import type { RefundApprovalStatus } from './refund-approval.ts';
import type { FraudReview, TransactionStatus } from './transaction.ts';
import type { RoutingReason } from '../../payment-services/index.ts';

export type OperationNotAllowed = {
  readonly kind: 'OperationNotAllowed';
  readonly operation: PaymentKind;
  readonly status: TransactionStatus;
};

/** A review holds the payment. Nothing is captured before it accepts the payment. */
export type CaptureHeld = { readonly kind: 'CaptureHeld'; readonly review: 'pending' | 'rejected' };

/** A review, or a change of the authorisation under way, prevents the operation. */
export type AuthorizationHeld = {
  readonly kind: 'AuthorizationHeld';
  readonly by: 'review' | 'increase' | 'reauthorize';
};

/** A dispute is open, so a refund could pay the buyer twice. A refund with force goes on. */
export type DisputeOpen = { readonly kind: 'DisputeOpen'; readonly openDisputes: number };

/**
 * The payment has no review to decide. The refusal says how its review ended. A `pending` review means that a release
 * of the authorisation is under way.
 */
export type ReviewNotPending = { readonly kind: 'ReviewNotPending'; readonly review: FraudReview | null };

/** Says what is left. Amounts are never reduced to fit. */
export type CaptureTooLarge = { readonly kind: 'CaptureTooLarge'; readonly capturable: Money };
export type RefundTooLarge = { readonly kind: 'RefundTooLarge'; readonly refundable: Money };

/** A second person must approve the refund. Nothing was refunded. */
export type RefundApprovalRequired = {
  readonly kind: 'RefundApprovalRequired';
  readonly requested: Money;
  /** The stored request. Null before the request is stored. */
  readonly approvalId: string | null;
  readonly status: RefundApprovalStatus;
};

/** The request for a refund does not wait for a decision any more. */
export type RefundApprovalEnded = {
  readonly kind: 'RefundApprovalEnded';
  readonly status: RefundApprovalStatus;
};

/** The person who asked for a refund cannot approve it. A token is no person. */
export type SecondPersonRequired = { readonly kind: 'SecondPersonRequired' };

/** The payment service lacks a feature. `feature` names it as the definition does. */
export type OperationNotSupported = {
  readonly kind: 'OperationNotSupported';
  readonly operation: PaymentKind | 'sync';
  readonly feature: Feature;
};

/** The outcome of the operation is known, or a process asks the provider right now. */
export type OperationNotUnresolved = {
  readonly kind: 'OperationNotUnresolved';
  readonly status: OperationStatus;
};

/** The operator holds payments back after a restore, until the books of the providers are compared. */
export type PaymentsHeld = { readonly kind: 'PaymentsHeld' };

/** The difference has ended. `state` says how. */
export type DifferenceNotOpen = {
  readonly kind: 'DifferenceNotOpen';
  readonly state: 'open' | 'adopted' | 'dismissed' | 'resolved';
};

/** The report of the difference cannot be booked. */
export type DifferenceNotAdoptable = { readonly kind: 'DifferenceNotAdoptable' };

/** The payment no longer waits for its buyer's client. */
export type TransactionSessionEnded = {
  readonly kind: 'TransactionSessionEnded';
  readonly status: TransactionStatus;
};

/** No active payment service accepts the method, currency and country. */
export type NoPaymentService = {
  readonly kind: 'NoPaymentService';
  /** Every payment service with the reasons against it, at most the first 200 and the requested one. */
  readonly passedOver: readonly PassedOver[];
};

/** A rule of the merchant refuses the payment. */
export type RefusedByRoutingRule = {
  readonly kind: 'RefusedByRoutingRule';
  /** The merchant's own code. */
  readonly ruleCode: string;
  readonly ruleName: string;
};

/** A payment service that does not take a payment. */
export type PassedOver = {
  readonly paymentServiceId: string;
  readonly codes: readonly (RoutingReason | 'payment_method' | 'routing_rule')[];
  /** One sentence for each code. */
  readonly message: string;
};

/** The reasons to refuse an operation on a payment before any call of the provider. */
export type FollowUpRefusal =
  | InvalidInput
  | NotFound
  | IdempotencyRefusal
  | OperationNotAllowed
  | OperationNotSupported
  | AuthorizationHeld
  | CaptureHeld
  | CaptureTooLarge
  | RefundTooLarge
  | RefundApprovalRequired
  | RefundApprovalEnded
  | DisputeOpen
  | PaymentsHeld;

export type ReviewRefusal = InvalidInput | NotFound | IdempotencyRefusal | ReviewNotPending | PaymentsHeld;

export type CreateRefusal =
  | InvalidInput
  | NotFound
  | IdempotencyRefusal
  | NoPaymentService
  | RefusedByRoutingRule
  | GiftCardRefused
  | TooManyCardNumbers
  | PaymentsHeld;

export type TransactionRefusal =
  | FollowUpRefusal
  | CreateRefusal
  | ReviewRefusal
  | OperationNotUnresolved
  | DifferenceNotOpen
  | DifferenceNotAdoptable
  | TransactionSessionEnded
  | SecondPersonRequired
  | ProviderUnavailable;
