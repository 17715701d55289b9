export { captureTransaction } from './capture.ts';
export { createTransaction } from './create.ts';
export { findOperationsOf, findTransactions } from './find.ts';
export type { Answer } from './follow-up.ts';
export { listTransactions } from './list.ts';
export type { Operation, OperationKind, OperationStatus } from './operation.ts';
export { reconcileDue, startReconciler } from './reconcile.ts';
export { refundTransaction } from './refund.ts';
export type * from './refusals.ts';
export {
  capturable,
  refundable,
  type AvsResponseCode,
  type CvvResponseCode,
  type Intent,
  type PaymentSource,
  type Transaction,
  type TransactionStatus,
} from './transaction.ts';
export { voidTransaction } from './void.ts';
