import type { Feature } from '../../connectors/connector.ts';
import type { IdempotencyRefusal, InvalidInput, NotFound } from '../../kernel/refusal.ts';
import type { GiftCardRefused } from '../payment-methods/index.ts';
import type { Money } from '../../kernel/money.ts';
import type { OperationStatus, PaymentKind } from './operation.ts';
import type { TransactionStatus } from './transaction.ts';

export type OperationNotAllowed = {
  readonly kind: 'OperationNotAllowed';
  readonly operation: PaymentKind;
  readonly status: TransactionStatus;
};

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

/** No active payment service accepts the method, currency and country. */
export type NoPaymentService = { readonly kind: 'NoPaymentService' };

/** Why a capture, refund or void was refused before the provider was called. */
export type FollowUpRefusal =
  | InvalidInput
  | NotFound
  | IdempotencyRefusal
  | OperationNotAllowed
  | OperationNotSupported
  | CaptureTooLarge
  | RefundTooLarge;

export type CreateRefusal = InvalidInput | NotFound | IdempotencyRefusal | NoPaymentService | GiftCardRefused;

export type TransactionRefusal = FollowUpRefusal | CreateRefusal | OperationNotInDoubt;
