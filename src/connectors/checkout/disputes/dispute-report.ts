import { z } from 'zod';
import {
  timeOf,
  type DisputeNotice,
  type DisputeReason,
  type DisputeReport,
  type DisputeStage,
  type DisputeStatus,
} from '../../door.ts';
import { moneyFromWire } from '../amount.ts';
import type { Event, Telling } from '../event.ts';

const text = z.string().nullish().catch(null);

/** A dispute, as events and reads have it. An event may lack the status, which its type then tells. */
export const dispute = z.object({
  id: z.string().min(1),
  category: text,
  reason_code: text,
  status: text,
  resolved_reason: text,
  amount: z.int().min(0),
  currency: z.string(),
  payment_id: text,
  payment_action_id: text,
  payment: z.object({ id: text, action_id: text }).nullish().catch(null),
  evidence_required_by: text,
});
export type Dispute = z.output<typeof dispute>;

type State = { readonly stage: DisputeStage; readonly status: DisputeStatus };

const inStage =
  (stage: DisputeStage) =>
  (status: DisputeStatus): State => ({ stage, status });
const chargeback = inStage('chargeback');
const arbitration = inStage('pre_arbitration');

/** The states of a dispute by the words of Checkout.com. Evidence that was submitted is under review. */
const STATES: Readonly<Record<string, State | undefined>> = {
  evidence_required: chargeback('needs_response'),
  evidence_submitted: chargeback('under_review'),
  evidence_under_review: chargeback('under_review'),
  won: chargeback('won'),
  // The issuer or the buyer withdrew the dispute.
  canceled: chargeback('won'),
  lost: chargeback('lost'),
  // Nobody responded in time, and the money is lost.
  expired: chargeback('lost'),
  accepted: chargeback('accepted'),
  // Both are steps of a review.
  evidence_acknowledged_by_scheme: chargeback('under_review'),
  arbitration_sent_to_scheme: arbitration('under_review'),
  arbitration_under_review: arbitration('under_review'),
  arbitration_won: arbitration('won'),
  arbitration_lost: arbitration('lost'),
};

/** The issuer took the money back by the rules of its scheme. Any other resolution took none. */
const BY_SCHEME = 'rapid_dispute_resolution';

/** Returns the state of a dispute. Null for an unknown word. */
export function stateOf({ status, resolved_reason: reason }: Pick<Dispute, 'status' | 'resolved_reason'>) {
  if (status === 'resolved') return chargeback(reason === BY_SCHEME ? 'lost' : 'closed');
  return STATES[status ?? ''] ?? null;
}

const REASONS: Readonly<Record<string, DisputeReason | undefined>> = {
  ...{ fraudulent: 'fraudulent', unrecognized: 'unrecognized', duplicate: 'duplicate' },
  ...{ incorrect_amount: 'incorrect_amount', general: 'general' },
  canceled_recurring: 'subscription_canceled',
  product_service_not_received: 'product_not_received',
  not_as_described: 'product_unacceptable',
  credit_not_issued: 'credit_not_processed',
};

/** Maps a dispute. Null for an unknown status, and for money that we cannot express. */
function reportOf(given: Dispute): DisputeReport | null {
  const state = stateOf(given);
  const money = moneyFromWire(given.amount, given.currency);
  if (state === null || money === null) return null;
  return {
    ...{ disputeReference: given.id, ...state, money },
    reason: REASONS[given.category ?? ''] ?? 'general',
    reasonCode: given.reason_code ?? given.category ?? null,
    respondBy: state.status === 'needs_response' ? timeOf(given.evidence_required_by) : null,
  };
}

/** Reads an event about a dispute. Null for an event that cannot be read. */
export function disputeNotices(
  telling: Telling,
  { type, data }: Pick<Event, 'type' | 'data'>,
): readonly DisputeNotice[] | null | 'unknown_kind' {
  const word = type.slice('dispute_'.length);
  if (word !== 'resolved' && STATES[word] === undefined) return 'unknown_kind';
  const read = dispute.safeParse(data).data;
  // The type tells what happened, also where the status has gone on meanwhile.
  const report = read ? reportOf({ ...read, status: word }) : null;
  const payment = read?.payment_id ?? read?.payment?.id ?? null;
  if (report === null || payment === null) return null;
  return [
    {
      ...{ ...telling, key: null, reference: read?.payment_action_id ?? read?.payment?.action_id ?? null },
      ...{ paymentReference: payment, dispute: report },
    },
  ];
}
