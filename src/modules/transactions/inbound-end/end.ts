import type { App } from '../../../app.ts';
import { isDisputeNotice, type DisputeNotice } from '../../../connectors/notices/disputes.ts';
import type { Notice } from '../../../connectors/notices/webhook.ts';
import type { DisputeFinding } from '../../disputes/index.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import type { ElsewhereFinding } from '../elsewhere/made-elsewhere.ts';
import { rematchSoon } from '../elsewhere/rematch.ts';
import type { TakeBackFinding } from '../take-back/take-back-changes.ts';
import type { Operation } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';
import { reportDifference } from './difference.ts';
import { endWebhook } from './inbound.sql.ts';
import { isLineKey } from '../notices/line-key.ts';
import type { InboundWebhook } from '../notices/webhook.ts';

/** The reason why a matched webhook changed nothing, or needs a person. History and log show the reason. */
export type Finding =
  | TakeBackFinding
  | ElsewhereFinding
  | DisputeFinding
  /** The operation has ended with another outcome. */
  | 'contradicts'
  /** The provider approved an authorisation after its refusal. The money is released, or the payment is authorised. */
  | 'late_authorization'
  /** Several operations match the webhook. */
  | 'several_operations'
  /** No operation here matches the webhook. */
  | 'unknown_operation'
  /** The refusal came before the operation was sent again, so another attempt is under way. */
  | 'sent_again'
  /** The webhook approves a payment without naming the payment's id. */
  | 'no_reference'
  /** The operation is still undecided, so the reversal, expiry or loss was not booked in time. */
  | 'undecided';

type Ended = {
  readonly transaction: Transaction;
  readonly operation?: Operation | null;
  readonly disputeId?: string | null;
  readonly changed?: boolean;
  readonly finding: Finding | null;
  /** The webhook's time is over. */
  readonly isOver?: boolean;
};

/** Ends a matched webhook with an entry in the history of its transaction. Logs a finding, and lists it for people if the books of both
 * sides may differ. Commits the list entry, then the end. */
export async function end(
  app: App,
  webhook: InboundWebhook<Notice | DisputeNotice>,
  { transaction, operation, disputeId, changed = false, finding, isOver = false }: Ended,
): Promise<void> {
  const { notice, merchantAccountId, paymentServiceId } = webhook;
  await reportDifference(app, webhook, { transaction, operation, finding });
  const hasEnded = await endWebhook(app.db, webhook, {
    state: changed ? 'applied' : isOver ? 'expired' : 'ignored',
    now: app.clock.now(),
    history: {
      transactionId: transaction.id,
      historyId: app.ids.uuid(),
      context: {
        ...contextOf(notice),
        operation_id: operation?.id,
        kind: operation?.kind,
        status: operation?.status,
        origin: operation?.origin === 'provider' ? operation.origin : undefined,
        dispute_id: disputeId,
        changed,
        finding,
      },
    },
  });
  await failpoint('inbound.applied');
  if (changed && isLineKey(notice.eventKey))
    await rematchSoon(app, { merchantAccountId, transactionId: transaction.id });
  if (hasEnded && finding !== null) {
    const about = {
      merchantAccountId,
      paymentServiceId,
      transactionId: transaction.id,
      operationId: operation?.id,
    };
    app.log.warn(
      { ...about, notified: isDisputeNotice(notice) ? 'dispute' : notice.outcome.kind, finding },
      'A webhook does not fit what is recorded.',
    );
  }
}

const contextOf = (notice: Notice | DisputeNotice) =>
  isDisputeNotice(notice) ? disputeContext(notice) : operationContext(notice);

const disputeContext = ({ eventKey, occurredAt, reference, paymentReference, dispute }: DisputeNotice) => ({
  webhook_event: `dispute.${dispute.stage}.${dispute.status}`,
  webhook_event_id: eventKey,
  occurred_at: occurredAt?.toISOString(),
  payment_service_reference: reference,
  payment_service_transaction_id: paymentReference,
  payment_service_dispute_id: dispute.disputeReference,
  amount: dispute.money.amount,
  currency: dispute.money.currency,
  raw_response_code: dispute.reasonCode,
});

const operationContext = ({ eventKey, verb, outcome, reference, paymentReference, occurredAt }: Notice) => ({
  webhook_event: `${verb}.${outcome.kind}`,
  webhook_event_id: eventKey,
  occurred_at: occurredAt?.toISOString(),
  payment_service_reference: reference,
  payment_service_transaction_id: paymentReference,
  amount: 'money' in outcome ? outcome.money?.amount : undefined,
  currency: 'money' in outcome ? outcome.money?.currency : undefined,
  reversal_reference: 'reversalReference' in outcome ? outcome.reversalReference : undefined,
  code: 'errorCode' in outcome ? outcome.errorCode : undefined,
  raw_response_code: outcome.rawResponseCode,
  raw_response_description: outcome.rawResponseDescription,
});
