import type { DisputeReason, DisputeStage, DisputeStatus } from '../../door.ts';
import type { SimulatorReply, SimulatorRequest } from './simulator.ts';

/** A webhook of the sandbox provider about a dispute, without the id of the event. */
export type DisputeWebhook = {
  readonly event: 'dispute.created' | 'dispute.updated' | 'dispute.closed';
  readonly payment_service_reference: string;
  readonly dispute_reference: string;
  readonly stage: DisputeStage;
  readonly status: DisputeStatus;
  readonly reason: DisputeReason;
  readonly reason_code: string;
  readonly amount: number;
  readonly currency: string;
  /** A later report has a later time. */
  readonly occurred_at: string;
  readonly respond_by: string | null;
};

type Step = readonly [stage: DisputeStage, status: DisputeStatus];

const INQUIRY: Step = ['inquiry', 'needs_response'];
const CHARGEBACK: Step = ['chargeback', 'needs_response'];
const LOST: Step = ['chargeback', 'lost'];

/** The captured amounts that a buyer disputes later, with the reports that follow. */
export const disputedLater: readonly { readonly amount: number; readonly steps: readonly Step[] }[] = [
  { amount: 690001, steps: [INQUIRY] },
  { amount: 690002, steps: [INQUIRY, ['inquiry', 'closed']] },
  { amount: 690003, steps: [CHARGEBACK] },
  { amount: 690004, steps: [CHARGEBACK, ['chargeback', 'won']] },
  { amount: 690005, steps: [CHARGEBACK, LOST] },
  { amount: 690006, steps: [INQUIRY, CHARGEBACK, LOST] },
  { amount: 690007, steps: [CHARGEBACK, LOST, ['pre_arbitration', 'needs_response']] },
  {
    amount: 690008,
    steps: [CHARGEBACK, LOST, ['pre_arbitration', 'needs_response'], ['pre_arbitration', 'won']],
  },
  { amount: 690009, steps: [CHARGEBACK, ['chargeback', 'expired']] },
];

const DAY_MS = 24 * 3_600_000;

/** The time that the sandbox gives for a response. */
const RESPONSE_MS = 7 * DAY_MS;

/**
 * Returns the webhooks about the dispute that follows the answer to a request. An empty list for most requests. `now` is
 * the time of the answer. Each report is one second later than the one before.
 */
export function simulateDispute(
  { operation, amount, currency, capture }: SimulatorRequest,
  { result, id }: SimulatorReply,
  now: Date,
): readonly DisputeWebhook[] {
  const captures = operation === 'capture' || (operation === 'authorize' && capture === true);
  const found = disputedLater.find((each) => each.amount === amount);
  if (result !== 'approved' || !captures || !found) return [];
  return found.steps.map(([stage, status], ordinal) => ({
    event: eventOf(status, ordinal),
    ...{ payment_service_reference: id, dispute_reference: `dp_${id}`, stage, status },
    ...{ reason: 'product_not_received', reason_code: '13.1', amount, currency },
    occurred_at: new Date(now.getTime() + ordinal * 1_000).toISOString(),
    respond_by: status === 'needs_response' ? new Date(now.getTime() + RESPONSE_MS).toISOString() : null,
  }));
}

function eventOf(status: DisputeStatus, ordinal: number): DisputeWebhook['event'] {
  if (ordinal === 0) return 'dispute.created';
  return status === 'won' || status === 'lost' || status === 'closed' ? 'dispute.closed' : 'dispute.updated';
}
