import type { ShownTransaction } from '../../../modules/transactions/index.ts';
import type { Resolvers } from '../../generated/transactions.ts';
import { refundStatusOf } from './operations.ts';

type Payloads =
  | 'CreateTransactionPayload'
  | 'CaptureTransactionPayload'
  | 'IncreaseAuthorizationPayload'
  | 'ReauthorizeTransactionPayload'
  | 'RefundTransactionPayload'
  | 'VoidTransactionPayload'
  | 'CancelTransactionPayload'
  | 'SyncTransactionPayload'
  | 'ResolveReviewPayload'
  | 'ResolveOperationPayload';

type WithTransaction = { readonly transaction?: ShownTransaction | null };

const transactionOutcome = {
  transactionId: ({ transaction }: WithTransaction) => transaction?.id ?? null,
  transactionStatus: ({ transaction }: WithTransaction) => transaction?.status ?? null,
};

/** The ids and statuses in payloads, for tokens that may write payments and not read payments. */
export const outcomeResolvers: Pick<Resolvers, Payloads> = {
  CreateTransactionPayload: transactionOutcome,
  CaptureTransactionPayload: {
    ...transactionOutcome,
    captureId: ({ capture }) => capture?.id ?? null,
    captureStatus: ({ capture }) => capture?.status ?? null,
  },
  IncreaseAuthorizationPayload: {
    ...transactionOutcome,
    increaseId: ({ increase }) => increase?.id ?? null,
    increaseStatus: ({ increase }) => increase?.status ?? null,
  },
  ReauthorizeTransactionPayload: {
    ...transactionOutcome,
    reauthorizationId: ({ reauthorization }) => reauthorization?.id ?? null,
    reauthorizationStatus: ({ reauthorization }) => reauthorization?.status ?? null,
  },
  RefundTransactionPayload: {
    ...transactionOutcome,
    refundId: ({ refund }) => refund?.id ?? null,
    refundStatus: ({ refund }) => (refund ? refundStatusOf(refund) : null),
  },
  VoidTransactionPayload: {
    ...transactionOutcome,
    voidId: ({ void: done }) => done?.id ?? null,
    voidStatus: ({ void: done }) => done?.status ?? null,
  },
  CancelTransactionPayload: {
    ...transactionOutcome,
    cancelId: ({ cancel }) => cancel?.id ?? null,
    cancelStatus: ({ cancel }) => cancel?.status ?? null,
  },
  SyncTransactionPayload: transactionOutcome,
  ResolveReviewPayload: transactionOutcome,
  ResolveOperationPayload: transactionOutcome,
};
