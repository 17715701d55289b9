import type { App } from '../../../app.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { recordEvent } from '../../event-log/index.ts';
import type { RefundApproval } from '../model/refund-approval.ts';

export type ApprovalEvent = 'requested' | 'approved' | 'rejected' | 'withdrawn' | 'expired' | 'failed';

/** Records `refund-approval.<event>`, in the transaction of the change. */
export const recordApprovalEvent = (
  app: App,
  tx: Tx,
  event: ApprovalEvent,
  approval: RefundApproval,
): Promise<void> =>
  recordEvent(tx, {
    ...{ merchantAccountId: approval.merchantAccountId, id: app.ids.uuid() },
    ...{ createdAt: app.clock.now(), production: app.config.production },
    name: `refund-approval.${event}`,
    target: {
      type: 'refund-approval',
      id: approval.id,
      transaction_id: approval.transactionId,
      amount: approval.amount,
      currency: approval.currency,
      status: approval.status,
      reason: approval.reason,
      external_identifier: approval.externalIdentifier,
      requested_by: approval.requestedBy,
      decided_by: approval.decidedBy,
      decision_reason: approval.decisionReason,
      error_code: approval.errorCode,
      created_at: approval.createdAt.toISOString(),
      expires_at: approval.expiresAt.toISOString(),
      decided_at: approval.decidedAt?.toISOString() ?? null,
    },
  });
