import type { Feature } from '../../../connectors/definition.ts';
import type { IdempotencyRefusal, InvalidInput, NotFound } from '../../../kernel/refusal.ts';
import type { GiftCardRefused } from '../../payment-methods/index.ts';
import type { Money } from '../../../kernel/money.ts';
import type { OperationStatus, PaymentKind } from './operation.ts';
import type { FraudReview, TransactionStatus } from './transaction.ts';

export type OperationNotAllowed = {
  readonly kind: 'OperationNotAllowed';
  readonly operation: PaymentKind;
  readonly status: TransactionStatus;
};

/** Nothing is captured before a review has accepted the payment. */
export type CaptureHeld = { readonly kind: 'CaptureHeld'; readonly review: 'pending' | 'rejected' };

/** No review of it can be decided; `review` is how it has ended, and `pending` when what is authorised is being released. */
export type ReviewNotPending = { readonly kind: 'ReviewNotPending'; readonly review: FraudReview | null };

/** Amounts are never cut down to what fits: the refusal says what is left. */
export type CaptureTooLarge = { readonly kind: 'CaptureTooLarge'; readonly capturable: Money };
export type RefundTooLarge = { readonly kind: 'RefundTooLarge'; readonly refundable: Money };

/** The payment service cannot do this; `feature` is the definition's feature that it lacks. */
export type OperationNotSupported = {
  readonly kind: 'OperationNotSupported';
  readonly operation: PaymentKind | 'sync';
  readonly feature: Feature;
};

/** The outcome of the operation is known, or being asked for at this moment. */
export type OperationNotInDoubt = { readonly kind: 'OperationNotInDoubt'; readonly status: OperationStatus };

/** The payment does not wait for its buyer's client any more. */
export type TransactionSessionEnded = {
  readonly kind: 'TransactionSessionEnded';
  readonly status: TransactionStatus;
};

/** The provider gave no answer that could be used; nothing was done, and it may be asked again. */
export type ProviderUnavailable = { readonly kind: 'ProviderUnavailable' };

/** No active payment service accepts the method, currency and country. */
export type NoPaymentService = { readonly kind: 'NoPaymentService' };

/** Why a capture, refund or void was refused before the provider was called. */
export type FollowUpRefusal =
  | InvalidInput
  | NotFound
  | IdempotencyRefusal
  | OperationNotAllowed
  | OperationNotSupported
  | CaptureHeld
  | CaptureTooLarge
  | RefundTooLarge;

export type ReviewRefusal = InvalidInput | NotFound | IdempotencyRefusal | ReviewNotPending;

export type CreateRefusal = InvalidInput | NotFound | IdempotencyRefusal | NoPaymentService | GiftCardRefused;

export type TransactionRefusal =
  | FollowUpRefusal
  | CreateRefusal
  | ReviewRefusal
  | OperationNotInDoubt
  | TransactionSessionEnded
  | ProviderUnavailable;
