export { mandateReferenceOf, type BankPayment } from './model/bank-payment.ts';
export { applyDueReviews, applyReceivedReviews } from './review/apply-review.ts';
export { countFraudReports } from './fraud-reports/fraud-reports.sql.ts';
export { reportDue, startFraudReports } from './fraud-reports/loop.ts';
export { receiveReview } from './review/receive-review.ts';
export { resolveReview } from './review/review.ts';
export { threeDSecureOf } from './model/three-d-secure.ts';
export { approvalOf, approve, isLeftToClient, startApprovalSweeper } from './buyer-approval/approve.ts';
export { previewAdoption } from './differences/adoption.ts';
export { isAdoptable, type Difference } from './differences/difference.ts';
export { adoptDifference, dismissDifference } from './differences/end.ts';
export { findDifference, listDifferences } from './differences/list.ts';
export { countOpenDifferences } from './differences/count-open.sql.ts';
export { countUnknownCauses, countUnknownOutcomes } from './recovery/count-unknown.sql.ts';
export { countUnreadWebhooks } from './unread/count-unread.sql.ts';
export { countWaitingWebhooks } from './notices/count-waiting.sql.ts';
export { countOpenApprovals } from './refund-approval/count-open.sql.ts';
export { outcomeCounter } from './settle/outcome-counter.ts';
export { verdictCounter } from './notices/verdict-counter.ts';
export { cancelTransaction } from './follow-up/cancel.ts';
export { captureTransaction } from './follow-up/capture.ts';
export { createTransaction } from './create/create.ts';
export type { CartItem, ConnectionOptions, StatementDescriptor } from './model/details.ts';
export { listDeclineCodes } from './model/decline-codes.ts';
export {
  circuitEffectOf,
  explainRoutingDecision,
  type ExplainedDecision,
} from './create/explain-decision.ts';
export { explainRouting, type RoutingCandidate, type RoutingExplanation } from './create/explain-routing.ts';
export {
  findFollowUps,
  findOperations,
  findOperationsOf,
  findRedemptionsOf,
  findTransactions,
  findTransactionsOfLinks,
} from './read/find.ts';
export type { Answer } from './claim/replay.ts';
export { reversalCodeOf, reversedAtOf } from './model/operation.ts';
export { providerKeyOf } from './model/provider-keys.ts';
export { redeemedAmount, refundableTo, type Redemption } from './model/redemption.ts';
export type { HistoryEntry } from './rows/history-entry.ts';
export { operationsAt, redemptionsAt, type ShownOperation, type ShownTransaction } from './read/as-of.ts';
export { frequentLists } from './read/list.sql.ts';
export { findHistory, historyRequest } from './read/history.ts';
export type { HistoryRequest } from './read/history.sql.ts';
export { applyDueWebhooks, applyReceived, startInbound } from './inbound/loop.ts';
export { proveAddress, receiveWebhook, type ReceivedWebhook } from './inbound/receive.ts';
export { closeLookUps, lookUpPayments } from './look-up/look-up.ts';
export { lookUpCounter } from './look-up/look-up-counter.ts';
export { lookUpDue, startLookUps } from './look-up/loop.ts';
export { applyUnreadWebhook, type AppliedUnread } from './inbound/apply-unread.ts';
export { unreadCounts } from './unread/counts.ts';
export { findUnreadWebhook, listUnreadWebhooks } from './unread/list.ts';
export { retainUnreadOnce, startUnreadRetention } from './unread/retention.ts';
export { expiresAtOf, type UnreadWebhook } from './unread/unread-webhook.ts';
export { checkTransactionInput, refuseBetween } from './input/inputs.ts';
export { cartItems, toCartItem } from './input/cart-items.ts';
export { refuseSplits, refuseSplitsOff, splits } from './input/splits.ts';
export { sharesOf, type Split } from './model/splits.ts';
export { orderOfCart, orderTotalsOf } from './engine/order.ts';
export { canonicalOptions, connectionOptions } from './input/connection-options.ts';
export { buyerFacts } from './engine/buyer-facts.ts';
export { redirectMethods } from './input/means.ts';
export { statementDescriptor } from './input/statement-descriptor.ts';
export {
  countTransactions,
  findTransactionCountsOf,
  transactionCountOf,
  type TransactionCountOf,
} from './read/count.ts';
export { transactionFilter } from './read/filter.ts';
export { listLedgerEntries, type LedgerEntry } from './read/ledger.ts';
export { findTransactionsOf, listTransactions, transactionsOf, type TransactionsOf } from './read/list.ts';
export type { OwnerColumn } from './read/filters.sql.ts';
export type { OperationColumns, TransactionColumns } from './rows/columns.sql.ts';
export type { Operation, OperationKind, OperationStatus } from './model/operation.ts';
export { reconcileDue, startReconciler } from './recovery/reconcile.ts';
export { increaseAuthorization } from './follow-up/increase.ts';
export { reauthorizeTransaction } from './follow-up/reauthorize.ts';
export {
  approveRefund,
  rejectRefund,
  withdrawRefund,
  type Approved,
} from './refund-approval/decide-approval.ts';
export {
  findRefundApprovals,
  findRefundApprovalsOf,
  findRefundedAlone,
  listRefundApprovals,
  refundableAlone,
  refundLimitOf,
} from './refund-approval/find.ts';
export { keepRefundApprovals, startRefundApprovals } from './refund-approval/make.ts';
export { refundTransaction, type Refunded } from './refund-approval/refund-transaction.ts';
export {
  isSamePerson,
  personOf,
  requesterOf,
  statusAt,
  type RefundApproval,
} from './model/refund-approval.ts';
export type * from './model/refusals.ts';
export { keepRetryPlans, startRetryPlans } from './retry-plans/loop.ts';
export { findRetryPlans, stopRetryPlan } from './retry-plans/stop.ts';
export type { RetryPlan } from './retry-rules/plan.ts';
export { resolveOperation } from './recovery/resolve-operation.ts';
export { comeBack, findReturn } from './buyer-approval/come-back.ts';
export { completeTransaction } from './buyer-approval/complete.ts';
export { redirectStepOf, type Redirected } from './buyer-approval/redirect-form.ts';
export { isStorableReturn, type Returned } from './awaiting/returned.ts';
export { clientActionOf, createTransactionSession, type TransactionSession } from './buyer-approval/open.ts';
export { sessionTokenOf } from './awaiting/session-token.ts';
export { transactionKey, type TransactionSort } from './read/sort.ts';
export type { Approval } from './buyer-approval/store/approval.sql.ts';
export type { FollowUpKind, FollowUps, OperationsWanted } from './read/operations.sql.ts';
export { startLineTeller, tellDueLines } from './lines/loop.ts';
export { startBooksSweep, sweepDue } from './sweep/loop.ts';
export { syncTransaction } from './recovery/sync.ts';
export {
  capturable,
  refundable,
  type AvsResponseCode,
  type CvvResponseCode,
  type PaymentSource,
  type Transaction,
  type TransactionStatus,
} from './model/transaction.ts';
export { tellUnserved } from './recovery/tell-unserved.ts';
export { listUnresolvedOperations } from './recovery/unresolved.ts';
export { updateTransaction } from './update/update.ts';
export { voidTransaction } from './follow-up/void.ts';
export { currentApprovalExpiresAt, currentApprovalUrl } from './model/waiting-buyer.ts';
export { foreseeRoute } from './create/foresee-route.ts';
export { transactionInputSchemas } from './input-schemas.ts';
export { readHold, type Hold } from './hold/hold.ts';
export { compareUnansweredAgain, holdPayments } from './restored/begin.ts';
export { ACCEPTANCES, releasePayments, type Acceptance } from './restored/end.ts';
export { readProgress, type HoldApp, type HoldProgress, type ProvedService } from './restored/progress.ts';
export type { HoldDoubt, HoldReason } from './restored/reasons.ts';
export { readPastPayments, type PastPayment, type PastPlace } from './past/past-payments.sql.ts';
export { readPastOutcomes } from './past/past-outcomes.sql.ts';
export { replayThrough, wentOn, type Replay, type ReplayedRoute } from './past/replay.ts';
