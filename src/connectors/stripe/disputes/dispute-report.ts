import type { DisputeNotice, DisputeReason, DisputeReport, DisputeStage, DisputeStatus } from '../../door.ts';
import { fromStripe } from '../model/amount.ts';
import type { Dispute } from './dispute-answers.ts';
import type { EventOf } from '../api/event.ts';

/** Reads an event about a dispute. A word that no rule names gives no notice. */
export function disputeNotice({ id, occurredAt, object }: EventOf<Dispute>): readonly DisputeNotice[] {
  const report = reportOf(object);
  const { charge = null, payment_intent: payment = null } = object;
  if (report === null || (charge === null && payment === null)) return [];
  return [
    {
      ...{ eventKey: id, occurredAt, key: null },
      ...{ reference: charge, paymentReference: payment, dispute: report },
    },
  ];
}

/** Maps a dispute. Null for an unknown status, and for money that we cannot express. */
export function reportOf(object: Dispute): DisputeReport | null {
  const state = stateOf(object);
  const money = fromStripe(object.amount, object.currency);
  if (state === null || money === null) return null;
  const { id, reason, evidence_details: details, payment_method_details: method } = object;
  const dueBy = details?.due_by;
  return {
    ...{ disputeReference: id, ...state, money },
    reason: REASONS.get(reason ?? '') ?? 'general',
    reasonCode: object.network_reason_code ?? method?.card?.network_reason_code ?? reason ?? null,
    respondBy: state.status === 'needs_response' && dueBy ? new Date(dueBy * 1_000) : null,
  };
}

type State = { readonly stage: DisputeStage; readonly status: DisputeStatus };

const STATES: ReadonlyMap<string, State> = new Map([
  ['warning_needs_response', { stage: 'inquiry', status: 'needs_response' }],
  ['warning_under_review', { stage: 'inquiry', status: 'under_review' }],
  ['warning_closed', { stage: 'inquiry', status: 'closed' }],
  // Stripe refunded the buyer before the issuer opened a dispute.
  ['prevented', { stage: 'inquiry', status: 'closed' }],
  ['needs_response', { stage: 'chargeback', status: 'needs_response' }],
  ['under_review', { stage: 'chargeback', status: 'under_review' }],
  ['won', { stage: 'chargeback', status: 'won' }],
  ['lost', { stage: 'chargeback', status: 'lost' }],
  ['appeal_needs_response', { stage: 'pre_arbitration', status: 'needs_response' }],
  ['appeal_under_review', { stage: 'pre_arbitration', status: 'under_review' }],
]);

/** Returns the stage and the status. An end after an appeal has no word of its own, but the evidence of the appeal. */
export function stateOf({ status, evidence, evidence_details: details }: Dispute): State | null {
  const state = STATES.get(status);
  if (!state) return null;
  if (state.status === 'needs_response' && details?.past_due) return { ...state, status: 'expired' };
  const isEnd = status === 'won' || status === 'lost';
  return isEnd && evidence?.appeal != null ? { ...state, stage: 'pre_arbitration' } : state;
}

const REASONS: ReadonlyMap<string, DisputeReason> = new Map([
  ['fraudulent', 'fraudulent'],
  ['debit_not_authorized', 'fraudulent'],
  ['unrecognized', 'unrecognized'],
  ['duplicate', 'duplicate'],
  ['product_not_received', 'product_not_received'],
  ['product_unacceptable', 'product_unacceptable'],
  ['subscription_canceled', 'subscription_canceled'],
  ['credit_not_processed', 'credit_not_processed'],
  ['bank_cannot_process', 'processing_error'],
  ['incorrect_account_details', 'processing_error'],
  ['check_returned', 'processing_error'],
  ['general', 'general'],
]);
