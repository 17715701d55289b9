import type { App } from '../../app.ts';
import type { Tx } from '../../platform/database/db.ts';
import { recordEvent, type Target } from '../event-log/index.ts';
import type { Dispute } from './dispute.ts';
import type { DisputeEvent } from './record-rules.ts';

/** The merchant's response that caused an event. */
export type CausingResponse = {
  readonly id: string;
  readonly kind: 'evidence' | 'acceptance';
  readonly stage: Dispute['stage'];
  readonly status: 'pending' | 'succeeded' | 'failed';
  /** Null unless failed. */
  readonly errorCode: string | null;
};

type Recorded = {
  readonly dispute: Dispute;
  /** Null if a report of the provider caused the events. */
  readonly response: CausingResponse | null;
  readonly events: readonly DisputeEvent[];
  readonly now: Date;
};

/** Records `dispute.<event>` for each event, in the transaction of the change. */
export async function recordDisputeEvents(
  app: App,
  tx: Tx,
  { dispute, response, events, now }: Recorded,
): Promise<void> {
  for (const event of events) {
    await recordEvent(tx, {
      merchantAccountId: dispute.merchantAccountId,
      ...{ id: app.ids.uuid(), createdAt: now, production: app.config.production },
      name: `dispute.${event}`,
      target: targetOf(dispute, response),
    });
  }
}

const targetOf = (dispute: Dispute, response: CausingResponse | null): Target<'dispute'> => ({
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
  response: response && {
    ...{ id: response.id, kind: response.kind, stage: response.stage, status: response.status },
    error_code: response.errorCode,
  },
  created_at: dispute.createdAt.toISOString(),
  updated_at: dispute.updatedAt.toISOString(),
});
