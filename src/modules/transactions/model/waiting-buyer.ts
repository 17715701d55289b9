import type { Transaction } from './transaction.ts';

/**
 * Returns the address that the buyer must open now, to approve or to get payment instructions. Null when
 * there is none.
 */
export const currentApprovalUrl = (transaction: Transaction): string | null =>
  awaitsBuyer(transaction) ? transaction.approvalUrl : null;

/** Returns the end of the buyer's time. Null when nothing waits for the buyer. */
export const currentApprovalExpiresAt = (transaction: Transaction): Date | null =>
  awaitsBuyer(transaction) ? transaction.approvalExpiresAt : null;

/** True while the buyer must approve, pass a challenge, or pay with the reference of a push payment. */
const awaitsBuyer = ({ status, paymentReference }: Transaction): boolean =>
  // Older records of keys lack the reference.
  status === (paymentReference == null ? 'buyer_approval_pending' : 'processing');
