import type Stripe from 'stripe';
import { later } from '../kit/agenda.ts';
import { book } from './balance.ts';
import { checkAmount } from './checks.ts';
import { integerAt, textAt, type Values } from './form.ts';
import { findPayment } from './intents.ts';
import { METHOD_KINDS } from './method-kinds.ts';
import { metadataOf } from './methods.ts';
import { refuse, refuseMissing, refuseParameter } from './refusal.ts';
import { reverse } from './split-rules.ts';
import { chargeOf, emit, seconds, withMetadata, type StripeWorld } from './world.ts';

/** The time in which a test refund changes its status. */
const CHANGE_MS = 60_000;

/** The time that a refund to a bank account takes. */
const BANK_MS = 3 * 86_400_000;

/** Refunds a charge, at most the captured rest. */
export function createRefund(world: StripeWorld, values: Values): Stripe.Refund {
  const charge = findRefunded(world, values);
  const left = charge.amount_captured - charge.amount_refunded;
  const amount = integerAt(values, 'amount') ?? left;
  if (charge.disputed && !isRefundable(world, charge))
    refuse({
      ...{ status: 400, type: 'invalid_request_error', code: 'charge_disputed' },
      message: `Charge ${charge.id} has been charged back; cannot issue a refund.`,
    });
  const { type = '' } = charge.payment_method_details ?? {};
  if (METHOD_KINDS[type]?.isRefunded === false)
    refuse({
      ...{ status: 400, type: 'invalid_request_error', code: 'charge_not_refundable' },
      message: `Charges of type ${type} cannot be refunded.`,
    });
  if (left === 0)
    refuse({
      ...{ status: 400, type: 'invalid_request_error', code: 'charge_already_refunded' },
      message: `Charge ${charge.id} has already been refunded.`,
    });
  if (amount < 1) checkAmount(amount, charge.currency);
  if (amount > left)
    refuseParameter(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      'amount',
    );
  const paid = [...world.payments.values()].find(({ wire }) => wire.id === charge.payment_intent);
  if (paid) reverse(paid.wire, values, { amount, charge });
  return open(world, charge, amount, values);
}

function findRefunded(world: StripeWorld, values: Values): Stripe.Charge {
  const [intent, id] = [textAt(values, 'payment_intent'), textAt(values, 'charge')];
  if (intent !== null && id !== null)
    refuseParameter(
      'You may only specify one of these parameters: charge, payment_intent.',
      ...['charge', 'parameters_exclusive'],
    );
  if (intent === null && id === null)
    refuseParameter('One of charge or payment_intent is required.', 'charge', 'parameter_missing');
  const charge =
    id !== null
      ? (world.charges.get(id) ?? refuseMissing('charge', id, 'charge'))
      : chargeOf(world, findPayment(world, intent ?? '', 'payment_intent'));
  if (!charge?.captured || charge.status !== 'succeeded')
    return refuse({
      ...{ status: 400, type: 'invalid_request_error' },
      message: `This PaymentIntent (${intent ?? ''}) does not have a successful charge to refund.`,
    });
  return charge;
}

const isRefundable = (world: StripeWorld, { id }: Stripe.Charge): boolean =>
  [...world.disputes.values()].every(
    ({ charge, is_charge_refundable, status }) =>
      charge !== id || is_charge_refundable || status === 'won' || status === 'warning_closed',
  );

function open(world: StripeWorld, charge: Stripe.Charge, amount: number, values: Values): Stripe.Refund {
  const method = world.methods.get(charge.payment_method ?? '');
  const flow = METHOD_KINDS[charge.payment_method_details?.type ?? '']?.flow;
  const behaviour = method?.card.refund;
  const isPending = flow !== 'card' || behaviour === 'pending';
  const id = world.newId(flow === 'card' ? 're' : 'pyr');
  const { currency } = charge;
  const booked = book(world, {
    ...{ type: flow === 'card' ? 'refund' : 'payment_refund', amount: -amount, currency, source: id },
  });
  const refund: Stripe.Refund = {
    ...{ id, object: 'refund', amount, balance_transaction: booked.id, charge: charge.id },
    ...{ created: seconds(world), currency, customer: charge.customer, customer_account: null },
    ...(flow === 'card' ? { destination_details: { card: { type: 'refund' }, type: 'card' } } : {}),
    metadata: withMetadata({}, metadataOf(values)),
    ...{ payment_intent: charge.payment_intent, payment_method: charge.payment_method },
    ...(isPending ? { pending_reason: 'processing' } : {}),
    reason: textAt(values, 'reason'),
    ...{ receipt_number: null, source_transfer_reversal: null },
    ...{ status: isPending ? 'pending' : 'succeeded', transfer_reversal: null },
  };
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount_captured;
  world.refunds.set(id, refund);
  emit(world, 'refund.created', refund);
  emit(world, 'charge.refunded', charge);
  if (behaviour === 'fails')
    later(world, CHANGE_MS, () => failRefund(world, refund, 'expired_or_canceled_card'));
  else if (isPending)
    later(world, flow === 'card' ? CHANGE_MS : BANK_MS, () => completeRefund(world, refund));
  return refund;
}

/** Completes a pending refund. */
export function completeRefund(world: StripeWorld, refund: Stripe.Refund): void {
  if (refund.status !== 'pending') return;
  refund.status = 'succeeded';
  delete refund.pending_reason;
  emitUpdate(world, refund);
}

/** Fails a refund, also one that had succeeded. The money is on the balance again. */
export function failRefund(world: StripeWorld, refund: Stripe.Refund, reason: string): void {
  if (refund.status !== 'pending' && refund.status !== 'succeeded')
    throw new Error(`The refund has the status ${String(refund.status)}.`);
  const charge = typeof refund.charge === 'string' ? world.charges.get(refund.charge) : null;
  if (charge) {
    charge.amount_refunded -= refund.amount;
    charge.refunded = false;
  }
  refund.status = 'failed';
  refund.failure_reason = reason;
  delete refund.pending_reason;
  const type = refund.id.startsWith('re_') ? 'refund_failure' : 'payment_failure_refund';
  const { amount, currency, id } = refund;
  refund.failure_balance_transaction = book(world, { type, amount, currency, source: id }).id;
  emit(world, 'refund.failed', refund);
  emitUpdate(world, refund);
}

function emitUpdate(world: StripeWorld, refund: Stripe.Refund): void {
  emit(world, 'refund.updated', refund);
  emit(world, 'charge.refund.updated', refund);
}

/** Cancels a refund that waits for the customer. No refund of the double does. */
export const cancelRefund = (refund: Stripe.Refund): never =>
  refuse({
    ...{ status: 400, type: 'invalid_request_error' },
    message: `Refund ${refund.id} cannot be canceled, because it has the status ${String(refund.status)}.`,
  });
