export { applyDueReviews, applyReceivedReviews } from './anti-fraud/apply-review.ts';
export { receiveReview } from './anti-fraud/receive-review.ts';
export { resolveReview } from './anti-fraud/review.ts';
export { threeDSecureOf } from './authentication/three-d-secure.ts';
export { approvalOf, approve, isLeftToClient, startApprovalSweeper } from './approve.ts';
export { cancelTransaction } from './cancel.ts';
export { captureTransaction } from './capture.ts';
export { createTransaction } from './create.ts';
export type { CartItem, ConnectionOptions, StatementDescriptor } from './details.ts';
export { explainRouting, type RoutingCandidate, type RoutingExplanation } from './explain-routing.ts';
export { findOperationsOf, findRedemptionsOf, findTransactions, findTransactionsOfLinks } from './find.ts';
export type { Answer } from './follow-up.ts';
export { redeemedAmount, refundableTo, type Redemption } from './gift-cards/redemption.ts';
export { findHistory, historyRequest, type HistoryEntry, type HistoryRequest } from './history.ts';
export { applyDueWebhooks, applyReceived, startInbound } from './inbound/loop.ts';
export { receiveWebhook, type Delivered } from './inbound/receive.ts';
export { checkTransactionInput, refuseBetween } from './input.ts';
export { cartItems, toCartItem } from './input/cart-items.ts';
export { canonicalOptions, connectionOptions } from './input/connection-options.ts';
export { redirectMethods } from './input/methods.ts';
export { statementDescriptor } from './input/statement-descriptor.ts';
export { listTransactions } from './list.ts';
export type { Operation, OperationKind, OperationStatus } from './operation.ts';
export { reconcileDue, startReconciler } from './reconcile.ts';
export { refundTransaction } from './refund.ts';
export type * from './refusals.ts';
export { resolveOperation } from './resolve.ts';
export { completeTransaction } from './session/complete.ts';
export { createTransactionSession, type TransactionSession } from './session/open.ts';
export { sessionTokenOf } from './session/token.ts';
export { transactionKey, type TransactionSort } from './sort.ts';
export type { Approval } from './store/approval.ts';
export type { OperationsOf } from './store/operations.ts';
export { syncTransaction } from './sync.ts';
export {
  capturable,
  currentApprovalUrl,
  refundable,
  type AvsResponseCode,
  type CvvResponseCode,
  type PaymentSource,
  type Transaction,
  type TransactionStatus,
} from './transaction.ts';
export { listUnresolvedOperations } from './unresolved.ts';
export { voidTransaction } from './void.ts';
