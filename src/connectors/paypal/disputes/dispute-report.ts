import {
  timeOf,
  type DisputeReason,
  type DisputeReport,
  type DisputeStage,
  type DisputeStatus,
  type Money,
} from '../../door.ts';
import { moneyFromWire } from '../amount.ts';
import type { Dispute } from './dispute-answers.ts';

/** Maps a dispute. Null for an unknown stage, status or end, and for money that we cannot express. */
export function reportOf(object: Dispute): DisputeReport | null {
  const { dispute_id: disputeReference, reason, external_reason_code: external } = object;
  const stage = stageOf(object);
  const state = stateOf(object);
  if (stage === null || state === null) return null;
  const { status, money } = state;
  return {
    ...{ disputeReference, stage, status, money },
    reason: REASONS.get(reason ?? '') ?? 'general',
    reasonCode: external ?? reason ?? null,
    respondBy: status === 'needs_response' ? timeOf(object.seller_response_due_date) : null,
  };
}

const STAGES: ReadonlyMap<string, DisputeStage> = new Map([
  ['INQUIRY', 'inquiry'],
  ['CHARGEBACK', 'chargeback'],
  ['PRE_ARBITRATION', 'pre_arbitration'],
  ['ARBITRATION', 'pre_arbitration'],
]);

/** Returns the stage of a dispute. Null for an unknown word. */
export const stageOf = ({ dispute_life_cycle_stage: stage }: Dispute): DisputeStage | null =>
  STAGES.get(stage) ?? null;

const OPEN: ReadonlyMap<string, DisputeStatus> = new Map([
  ['WAITING_FOR_SELLER_RESPONSE', 'needs_response'],
  ['WAITING_FOR_BUYER_RESPONSE', 'under_review'],
  ['UNDER_REVIEW', 'under_review'],
]);

const ENDS: ReadonlyMap<string, DisputeStatus> = new Map([
  ['RESOLVED_BUYER_FAVOUR', 'lost'],
  ['RESOLVED_SELLER_FAVOUR', 'won'],
  ['CANCELED_BY_BUYER', 'won'],
  ['DENIED', 'won'],
  ['ACCEPTED', 'accepted'],
  // PayPal paid from its own money, so the merchant's money did not move.
  ['RESOLVED_WITH_PAYOUT', 'closed'],
  ['NONE', 'closed'],
]);

type State = { readonly status: DisputeStatus; readonly money: Money };

function stateOf(object: Dispute): State | null {
  const { status: word, dispute_outcome: outcome, dispute_amount: disputed } = object;
  const money = moneyFromWire(disputed);
  if (money === null) return null;
  const status = word === 'RESOLVED' ? ENDS.get(outcome?.outcome_code ?? '') : openStatusOf(object);
  if (status === undefined) return null;
  const isLoss = status === 'lost' || status === 'accepted';
  return isLoss && outcome?.amount_refunded
    ? lossOf(status, money, outcome.amount_refunded)
    : { status, money };
}

/** An open dispute waits for the merchant only if there is a day to respond by. */
const openStatusOf = ({ status, seller_response_due_date: dueDate }: Dispute): DisputeStatus | undefined =>
  status === 'OPEN' ? (dueDate == null ? 'under_review' : 'needs_response') : OPEN.get(status);

/** The money of a loss is the refunded part. A loss without a refund took nothing. */
function lossOf(status: DisputeStatus, disputed: Money, refunded: Dispute['dispute_amount']): State | null {
  const money = moneyFromWire(refunded);
  if (money === null) return null;
  return money.amount === 0 ? { status: 'closed', money: disputed } : { status, money };
}

const REASONS: ReadonlyMap<string, DisputeReason> = new Map([
  ['MERCHANDISE_OR_SERVICE_NOT_RECEIVED', 'product_not_received'],
  ['MERCHANDISE_OR_SERVICE_NOT_AS_DESCRIBED', 'product_unacceptable'],
  ['UNAUTHORISED', 'fraudulent'],
  ['CREDIT_NOT_PROCESSED', 'credit_not_processed'],
  ['DUPLICATE_TRANSACTION', 'duplicate'],
  ['PAYMENT_BY_OTHER_MEANS', 'duplicate'],
  ['INCORRECT_AMOUNT', 'incorrect_amount'],
  ['CANCELED_RECURRING_BILLING', 'subscription_canceled'],
  ['PROBLEM_WITH_REMITTANCE', 'processing_error'],
]);
