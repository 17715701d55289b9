export { approvalOf, approve, startApprovalSweeper } from './approve.ts';
export { cancelTransaction } from './cancel.ts';
export { captureTransaction } from './capture.ts';
export { createTransaction } from './create.ts';
export { explainRouting, type RoutingCandidate, type RoutingExplanation } from './explain-routing.ts';
export { findOperationsOf, findTransactions } from './find.ts';
export type { Answer } from './follow-up.ts';
export { findHistory, historyRequest, type HistoryEntry, type HistoryRequest } from './history.ts';
export { applyDueWebhooks, applyReceived, startInbound } from './inbound/loop.ts';
export { receiveWebhook } from './inbound/receive.ts';
export { listTransactions } from './list.ts';
export type { Operation, OperationKind, OperationStatus } from './operation.ts';
export { reconcileDue, startReconciler } from './reconcile.ts';
export { refundTransaction } from './refund.ts';
export type * from './refusals.ts';
export { resolveOperation } from './resolve.ts';
export { transactionKey, type TransactionSort } from './sort.ts';
export type { Approval } from './store/approval.ts';
export type { OperationsOf } from './store/operations.ts';
export { syncTransaction } from './sync.ts';
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
export { listUnresolvedOperations } from './unresolved.ts';
export { voidTransaction } from './void.ts';
