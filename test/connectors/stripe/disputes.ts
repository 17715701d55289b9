import type Stripe from 'stripe';
import { later } from '../kit/agenda.ts';
import { book, DISPUTE_FEE } from './balance.ts';
import { isTrueAt, textAt, valueAt, type Values } from './form.ts';
import { metadataOf } from './methods.ts';
import { refuse, refuseMissing, refuseParameter } from './refusal.ts';
import { emit, seconds, withMetadata, type StripeWorld } from './world.ts';

const DAY_SECONDS = 86_400;

/** The time to respond to a dispute. */
const RESPONSE_SECONDS = 9 * DAY_SECONDS;

/** The time in which a test dispute is decided after its evidence. */
const DECISION_MS = 60_000;

const EVIDENCE_LENGTH_MAX = 150_000;

const NETWORK_CODES: Readonly<Record<string, string>> = {
  ...{ fraudulent: '10.4', product_not_received: '13.1', general: '10.4', duplicate: '12.6.1' },
};

const TEXTS = [
  ...(['access_activity_log', 'billing_address', 'cancellation_policy_disclosure'] as const),
  ...(['cancellation_rebuttal', 'customer_email_address', 'customer_name'] as const),
  ...(['customer_purchase_ip', 'duplicate_charge_explanation', 'duplicate_charge_id'] as const),
  ...(['product_description', 'refund_policy_disclosure', 'refund_refusal_explanation'] as const),
  ...(['service_date', 'shipping_address', 'shipping_carrier', 'shipping_date'] as const),
  ...(['shipping_tracking_number', 'uncategorized_text'] as const),
];

const FILES = [
  ...(['cancellation_policy', 'customer_communication', 'customer_signature'] as const),
  ...(['duplicate_charge_documentation', 'receipt', 'refund_policy', 'service_documentation'] as const),
  ...(['shipping_documentation', 'uncategorized_file'] as const),
];

export type DisputeFacts = {
  readonly reason: string;
  readonly isInquiry: boolean;
  /** True if the bank decides alone, so that the money is lost at once. */
  readonly isFinal: boolean;
  /** The disputed amount. Null means the whole charge. */
  readonly amount?: number;
};

/** Opens a dispute about a charge. Takes the money, except for an inquiry. */
export function openDispute(world: StripeWorld, charge: Stripe.Charge, facts: DisputeFacts): Stripe.Dispute {
  const { reason, isInquiry, isFinal } = facts;
  const { currency } = charge;
  const amount = facts.amount ?? charge.amount_captured;
  const network_reason_code = NETWORK_CODES[reason] ?? null;
  const card = charge.payment_method_details?.card;
  const dispute: Stripe.Dispute = {
    ...{ id: world.newId('du'), object: 'dispute', amount, balance_transactions: [], charge: charge.id },
    ...{ created: seconds(world), currency, enhanced_eligibility_types: [] },
    evidence: emptyEvidence(),
    evidence_details: {
      ...{ due_by: isFinal ? null : seconds(world) + RESPONSE_SECONDS, enhanced_eligibility: {} },
      ...{ has_evidence: false, past_due: false, submission_count: 0, submission_method: 'manual' },
    },
    ...{ intended_submission_method: null, is_charge_refundable: isInquiry, livemode: false, metadata: {} },
    ...{ network_reason_code, payment_intent: charge.payment_intent, reason },
    ...(card
      ? {
          payment_method_details: {
            card: {
              ...{ brand: card.brand ?? 'visa', case_type: isInquiry ? 'inquiry' : 'chargeback' },
              ...{ network: card.network ?? 'visa', network_reason_code },
            },
            type: 'card',
          },
        }
      : {}),
    status: isFinal ? 'lost' : isInquiry ? 'warning_needs_response' : 'needs_response',
  };
  charge.disputed = true;
  world.disputes.set(dispute.id, dispute);
  emit(world, 'charge.dispute.created', dispute);
  if (!isInquiry) withdraw(world, dispute);
  if (isFinal) emit(world, 'charge.dispute.closed', dispute);
  else later(world, RESPONSE_SECONDS * 1000, () => lapse(world, dispute));
  return dispute;
}

const emptyEvidence = (): Stripe.Dispute.Evidence => ({
  ...(Object.fromEntries([...TEXTS, ...FILES].map((name) => [name, null])) as Record<
    (typeof TEXTS)[number] | (typeof FILES)[number],
    null
  >),
  enhanced_evidence: {},
});

function withdraw(world: StripeWorld, dispute: Stripe.Dispute): void {
  const { amount, currency, id } = dispute;
  dispute.balance_transactions.push(
    book(world, {
      ...{ type: 'adjustment', amount: -amount, fee: DISPUTE_FEE, currency, source: id },
      ...{ category: 'dispute', description: `Chargeback withdrawal for ${chargeIdOf(dispute)}` },
    }),
  );
  emit(world, 'charge.dispute.funds_withdrawn', dispute);
}

const chargeIdOf = ({ charge }: Stripe.Dispute): string => (typeof charge === 'string' ? charge : charge.id);

const isOpen = ({ status }: Stripe.Dispute): boolean =>
  status === 'needs_response' || status === 'warning_needs_response';

/** Loses a dispute without a response. */
function lapse(world: StripeWorld, dispute: Stripe.Dispute): void {
  if (!isOpen(dispute)) return;
  dispute.evidence_details.past_due = true;
  decideDispute(world, dispute, 'lost');
}

/** Decides a dispute. A won dispute gives the money back. */
export function decideDispute(world: StripeWorld, dispute: Stripe.Dispute, decision: 'won' | 'lost'): void {
  const isInquiry = dispute.status.startsWith('warning_');
  if (isInquiry && decision === 'lost') {
    escalate(world, dispute);
    return;
  }
  dispute.status = isInquiry ? 'warning_closed' : decision;
  if (decision === 'won' && !isInquiry) {
    const { amount, currency, id } = dispute;
    const description = `Chargeback reversal for ${chargeIdOf(dispute)}`;
    dispute.balance_transactions.push(
      book(world, {
        ...{ type: 'adjustment', amount, fee: -DISPUTE_FEE, currency, source: id },
        ...{ category: 'dispute_reversal', description },
      }),
    );
    emit(world, 'charge.dispute.funds_reinstated', dispute);
  }
  emit(world, 'charge.dispute.closed', dispute);
}

/** Turns an inquiry into a chargeback, which takes the money. */
export function escalate(world: StripeWorld, dispute: Stripe.Dispute): void {
  dispute.status = 'needs_response';
  dispute.is_charge_refundable = false;
  dispute.evidence_details.due_by = seconds(world) + RESPONSE_SECONDS;
  const card = dispute.payment_method_details?.card;
  if (card) card.case_type = 'chargeback';
  emit(world, 'charge.dispute.updated', dispute);
  withdraw(world, dispute);
  later(world, RESPONSE_SECONDS * 1000, () => lapse(world, dispute));
}

/** Takes evidence. Stages it with `submit=false`, and otherwise gives it to the bank. */
export function updateDispute(world: StripeWorld, dispute: Stripe.Dispute, values: Values): Stripe.Dispute {
  if (!isOpen(dispute) && values['evidence'] !== undefined)
    refuse({
      ...{ status: 400, type: 'invalid_request_error' },
      message: 'This dispute is already closed or was already submitted, so its evidence cannot be updated.',
    });
  const given = (name: string): string | null => textAt(values, 'evidence', name);
  const texts = TEXTS.reduce((sum, name) => sum + (given(name)?.length ?? 0), 0);
  if (texts > EVIDENCE_LENGTH_MAX)
    refuseParameter(`Evidence can have up to ${EVIDENCE_LENGTH_MAX} characters.`, 'evidence');
  for (const name of FILES) {
    const file = given(name);
    if (file !== null && world.files.get(file)?.purpose !== 'dispute_evidence')
      refuseMissing('file upload', file, `evidence[${name}]`, 400);
  }
  for (const name of [...TEXTS, ...FILES])
    if (valueAt(values, 'evidence', name) !== undefined) dispute.evidence[name] = given(name);
  dispute.metadata = withMetadata(dispute.metadata, metadataOf(values));
  const hasEvidence = [...TEXTS, ...FILES].some((name) => dispute.evidence[name] !== null);
  dispute.evidence_details.has_evidence = hasEvidence;
  const submits =
    values['submit'] === undefined ? values['evidence'] !== undefined : isTrueAt(values, 'submit');
  if (submits) submit(world, dispute, hasEvidence);
  emit(world, 'charge.dispute.updated', dispute);
  return dispute;
}

function submit(world: StripeWorld, dispute: Stripe.Dispute, hasEvidence: boolean): void {
  if (!hasEvidence) refuseParameter('You must provide evidence to submit.', 'evidence');
  dispute.evidence_details.submission_count += 1;
  dispute.status = dispute.status === 'needs_response' ? 'under_review' : 'warning_under_review';
  const text = dispute.evidence.uncategorized_text;
  // The documentation names these two texts for tests.
  const decision = text === 'winning_evidence' ? 'won' : text === 'losing_evidence' ? 'lost' : null;
  if (decision) later(world, DECISION_MS, () => decideDispute(world, dispute, decision));
}

/** Gives the disputed money up. */
export function closeDispute(world: StripeWorld, dispute: Stripe.Dispute): Stripe.Dispute {
  if (!isOpen(dispute))
    refuse({
      ...{ status: 400, type: 'invalid_request_error' },
      message: 'This dispute is already closed or is under review.',
    });
  if (dispute.status === 'warning_needs_response') dispute.status = 'warning_closed';
  else dispute.status = 'lost';
  emit(world, 'charge.dispute.closed', dispute);
  return dispute;
}
