import type { App } from '../../app.ts';
import type { Tx } from '../../platform/db.ts';
import { recordEvent, type EventName } from '../event-log/index.ts';
import type { Dispute } from './dispute.ts';
import type { DisputeEvent } from './record-rules.ts';

type Recorded = {
  readonly dispute: Dispute;
  readonly events: readonly DisputeEvent[];
  readonly now: Date;
};

/** Records `dispute.<event>` for each event, in the transaction of the change. */
export async function recordDisputeEvents(
  app: App,
  tx: Tx,
  { dispute, events, now }: Recorded,
): Promise<void> {
  for (const event of events) {
    const name: EventName = `dispute.${event}`;
    await recordEvent(tx, {
      merchantAccountId: dispute.merchantAccountId,
      ...{ id: app.ids.uuid(), name, createdAt: now, production: app.config.production },
      target: targetOf(dispute),
    });
  }
}

const targetOf = (dispute: Dispute) => ({
  type: 'dispute',
  id: dispute.id,
  transaction_id: dispute.transactionId,
  payment_service_id: dispute.paymentServiceId,
  payment_service_dispute_id: dispute.providerReference,
  stage: dispute.stage,
  status: dispute.status,
  reason: dispute.reason,
  reason_code: dispute.reasonCode,
  amount: dispute.amount,
  currency: dispute.currency,
  lost_amount: dispute.lostAmount,
  respond_by: dispute.respondBy?.toISOString() ?? null,
  created_at: dispute.createdAt.toISOString(),
  updated_at: dispute.updatedAt.toISOString(),
});
