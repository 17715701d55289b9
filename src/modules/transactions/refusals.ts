import type { IdempotencyRefusal, InvalidInput, NotFound } from '../../kernel/refusal.ts';
import type { Money } from '../../kernel/money.ts';
import type { OperationKind } from './operation.ts';
import type { TransactionStatus } from './transaction.ts';

export type OperationNotAllowed = {
  readonly kind: 'OperationNotAllowed';
  readonly operation: OperationKind;
  readonly status: TransactionStatus;
};

/** Amounts are never cut down to what fits: the refusal says what is left. */
export type CaptureTooLarge = { readonly kind: 'CaptureTooLarge'; readonly capturable: Money };
export type RefundTooLarge = { readonly kind: 'RefundTooLarge'; readonly refundable: Money };

/** No active payment service accepts the method, currency and country. */
export type NoPaymentService = { readonly kind: 'NoPaymentService' };

/** Why a capture, refund or void was refused before the provider was called. */
export type FollowUpRefusal =
  InvalidInput | NotFound | IdempotencyRefusal | OperationNotAllowed | CaptureTooLarge | RefundTooLarge;

export type CreateRefusal = InvalidInput | IdempotencyRefusal | NoPaymentService;

export type TransactionRefusal = FollowUpRefusal | CreateRefusal;
