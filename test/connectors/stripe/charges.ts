import type Stripe from 'stripe';
import { later } from '../kit/agenda.ts';
import { book, feeOf } from './balance.ts';
import { openDispute } from './disputes.ts';
import { METHOD_KINDS } from './method-kinds.ts';
import type { Refusal } from './refusal.ts';
import { takeFee } from './split-rules.ts';
import type { Decline } from './test-methods.ts';
import { chargeOf, emit, seconds, type Method, type Payment, type StripeWorld } from './world.ts';

const DAY_MS = 86_400_000;

/** The time for which an issuer holds an authorised amount. */
const HELD_MS = 7 * DAY_MS;

/** The time until the decision about a debit. Slow test accounts take twice as long. */
const DEBIT_MS = 4 * DAY_MS;

/** The time in which a buyer's bank takes a debit back after its success. */
const RETURN_MS = 3 * DAY_MS;

const MESSAGES: Readonly<Record<string, string>> = {
  card_declined: 'Your card was declined.',
  expired_card: 'Your card has expired.',
  incorrect_cvc: "Your card's security code is incorrect.",
  processing_error: 'An error occurred while processing your card. Try again in a little bit.',
  authentication_required: 'Your card was declined. This transaction requires authentication.',
};

const messageOf = (code: string): string => MESSAGES[code] ?? `The payment failed: ${code}.`;

/** Sends a payment to its issuer or bank. Returns the decline, or null. */
export function sendCharge(world: StripeWorld, payment: Payment, method: Method): Refusal | null {
  const kind = METHOD_KINDS[method.wire.type];
  if (kind?.flow === 'debit') return sendDebit(world, payment, method);
  const decline = method.card.decline;
  if (decline) return declineCharge(world, payment, method, decline);
  if (payment.wire.capture_method === 'automatic_async') {
    payment.wire.status = 'processing';
    createCharge(world, payment, method, 'pending');
    later(world, 1_000, () => succeed(world, payment, method, chargeOf(world, payment)));
    return null;
  }
  succeed(world, payment, method, null);
  return null;
}

function sendDebit(world: StripeWorld, payment: Payment, method: Method): null {
  const { wire } = payment;
  wire.status = 'processing';
  const charge = createCharge(world, payment, method, 'pending');
  emit(world, 'charge.pending', charge);
  emit(world, 'payment_intent.processing', wire);
  const { failure, isSlow = false, isReturned = false, isEndless = false } = method.account;
  if (isEndless) return null;
  later(world, isSlow ? 2 * DEBIT_MS : DEBIT_MS, () => {
    if (wire.status !== 'processing') return;
    if (failure !== undefined) failDebit(world, payment, failure);
    else succeed(world, payment, method, charge);
    if (isReturned) later(world, RETURN_MS, () => returnDebit(world, payment, 'debit_not_authorized'));
  });
  return null;
}

/** Takes a debit back that had succeeded. The buyer's bank decides, so the dispute is lost at once. */
export function returnDebit(world: StripeWorld, payment: Payment, reason: string): void {
  const charge = chargeOf(world, payment);
  if (charge?.status !== 'succeeded') throw new Error('Only a debit that succeeded can be returned.');
  openDispute(world, charge, { reason, isInquiry: false, isFinal: true });
}

/** Fails a debit that is under way. */
export function failDebit(world: StripeWorld, payment: Payment, code: string): void {
  const charge = chargeOf(world, payment);
  if (charge) fail(charge, { code });
  failPayment(world, payment, { code }, charge);
}

function fail(charge: Stripe.Charge, { code, decline_code, blocked }: Decline): void {
  charge.status = 'failed';
  charge.paid = false;
  charge.captured = false;
  charge.failure_code = code;
  charge.failure_message = messageOf(code);
  charge.outcome = {
    ...{ advice_code: null, network_advice_code: null, network_decline_code: null },
    network_status: blocked ? 'not_sent_to_network' : 'declined_by_network',
    reason: blocked ? 'highest_risk_level' : (decline_code ?? code),
    risk_level: blocked ? 'highest' : 'normal',
    seller_message: blocked ? 'Stripe blocked this payment as too risky.' : 'The bank declined the payment.',
    type: blocked ? 'blocked' : 'issuer_declined',
  };
}

/** Declines a payment at its issuer. Returns the error for the request under way. */
export function declineCharge(
  world: StripeWorld,
  payment: Payment,
  method: Method,
  decline: Decline,
): Refusal {
  const charge = createCharge(world, payment, method, 'failed');
  fail(charge, decline);
  if (charge.outcome) {
    if (decline.advice_code !== undefined)
      charge.outcome.advice_code = decline.advice_code as 'do_not_try_again';
    charge.outcome.network_decline_code = decline.network_decline_code ?? null;
  }
  return failPayment(world, payment, decline, charge);
}

/** Ends an attempt to pay without success. The payment then waits for another payment method. */
export function failPayment(
  world: StripeWorld,
  payment: Payment,
  { code, decline_code, advice_code, network_decline_code }: Decline,
  charge: Stripe.Charge | null,
): Refusal {
  const { wire, method } = payment;
  const error = {
    ...{ type: 'card_error' as const, code, message: messageOf(code) },
    ...(decline_code === undefined ? {} : { decline_code }),
    ...(advice_code === undefined ? {} : { advice_code }),
    ...(network_decline_code === undefined ? {} : { network_decline_code }),
    ...(charge ? { charge: charge.id } : {}),
    ...(method ? { payment_method: structuredClone(method.wire) } : {}),
  };
  wire.status = 'requires_payment_method';
  wire.next_action = null;
  wire.payment_method = null;
  wire.last_payment_error = {
    ...error,
    doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`,
  };
  if (charge) emit(world, 'charge.failed', charge);
  emit(world, 'payment_intent.payment_failed', wire);
  return { status: 402, ...error, payment_intent: structuredClone(wire) };
}

function succeed(world: StripeWorld, payment: Payment, method: Method, pending: Stripe.Charge | null): void {
  const { wire } = payment;
  const charge = pending ?? createCharge(world, payment, method, 'succeeded');
  charge.status = 'succeeded';
  charge.paid = true;
  payment.authorized = wire.amount;
  keepMethod(world, payment, method);
  wire.last_payment_error = null;
  wire.next_action = null;
  if (wire.capture_method === 'manual') {
    wire.status = 'requires_capture';
    wire.amount_capturable = wire.amount;
    emit(world, 'charge.succeeded', charge);
    emit(world, 'payment_intent.amount_capturable_updated', wire);
    later(world, HELD_MS, () => expire(world, payment));
    return;
  }
  settle(world, payment, charge, wire.amount);
  takeFee(wire, {}, wire.amount);
  payment.captures.push({ key: payment.key, amount: wire.amount });
  wire.status = 'succeeded';
  emit(world, 'charge.succeeded', charge);
  emit(world, 'payment_intent.succeeded', wire);
  react(world, charge, method);
}

/** Attaches the payment method to the customer if the payment stores it. A method without a customer pays once. */
function keepMethod(world: StripeWorld, { wire, isOffSession }: Payment, method: Method): void {
  const { customer, setup_future_usage } = wire;
  if (setup_future_usage === 'off_session' && !isOffSession) method.isSetUp = true;
  if (method.wire.customer !== null) return;
  if (setup_future_usage !== null && typeof customer === 'string') {
    method.wire.customer = customer;
    emit(world, 'payment_method.attached', method.wire);
  } else method.isSpent = true;
}

/** Books the money of a capture. */
export function settle(world: StripeWorld, payment: Payment, charge: Stripe.Charge, amount: number): void {
  const { currency } = charge;
  charge.captured = true;
  charge.amount_captured += amount;
  payment.wire.amount_received += amount;
  const type =
    METHOD_KINDS[charge.payment_method_details?.type ?? '']?.flow === 'card' ? 'charge' : 'payment';
  const booked = book(world, { type, amount, fee: feeOf(amount), currency, source: charge.id });
  charge.balance_transaction ??= booked.id;
}

/** Does the documented reaction of a test card to money that arrived. */
export function react(world: StripeWorld, charge: Stripe.Charge, { card }: Method): void {
  if (card.dispute) openDispute(world, charge, { ...card.dispute, isFinal: false });
  if (card.isReportedFraud)
    emit(world, 'radar.early_fraud_warning.created', {
      ...{ id: world.newId('issfr'), object: 'radar.early_fraud_warning', actionable: true },
      ...{ charge: charge.id, created: seconds(world), fraud_type: 'misc', livemode: false },
      payment_intent: charge.payment_intent,
    });
}

/** Lets an authorisation lapse. */
export function expire(world: StripeWorld, payment: Payment): void {
  const { wire } = payment;
  if (wire.status !== 'requires_capture') return;
  const charge = chargeOf(world, payment);
  release(world, payment, 'automatic');
  if (charge) emit(world, 'charge.expired', charge);
  emit(world, 'payment_intent.canceled', wire);
}

/** Ends a payment and frees the amount that is not captured. */
export function release(
  world: StripeWorld,
  payment: Payment,
  reason: Stripe.PaymentIntent.CancellationReason | null,
): void {
  const { wire } = payment;
  const charge = chargeOf(world, payment);
  // The recorded charge of a cancelled authorisation shows the freed amount as refunded.
  if (charge?.captured === false && charge.status === 'succeeded') {
    charge.amount_refunded = charge.amount;
    charge.refunded = true;
  }
  wire.status = 'canceled';
  wire.amount_capturable = 0;
  wire.canceled_at = seconds(world);
  wire.cancellation_reason = reason;
  wire.next_action = null;
}

function createCharge(
  world: StripeWorld,
  payment: Payment,
  method: Method,
  status: Stripe.Charge.Status,
): Stripe.Charge {
  const { wire } = payment;
  const id = world.newId(METHOD_KINDS[method.wire.type]?.flow === 'card' ? 'ch' : 'py');
  const charge: Stripe.Charge = {
    ...{ id, object: 'charge', amount: wire.amount, amount_captured: 0, amount_refunded: 0 },
    ...{ application: null, application_fee: null, application_fee_amount: null },
    ...{ balance_transaction: null, billing_details: structuredClone(method.wire.billing_details) },
    ...{ calculated_statement_descriptor: 'PAYGRAPH', captured: false, created: seconds(world) },
    ...{ currency: wire.currency, customer: wire.customer, description: wire.description, disputed: false },
    ...{ failure_balance_transaction: null, failure_code: null, failure_message: null, fraud_details: {} },
    ...{ livemode: false, metadata: { ...wire.metadata }, on_behalf_of: null },
    outcome: {
      ...{ advice_code: null, network_advice_code: null, network_decline_code: null },
      ...{ network_status: 'approved_by_network', reason: null, risk_level: 'normal', risk_score: 20 },
      ...{ seller_message: 'Payment complete.', type: 'authorized' },
    },
    ...{ paid: status === 'succeeded', payment_intent: wire.id, payment_method: method.wire.id },
    payment_method_details: detailsOf(world, payment, method),
    ...{ radar_options: {}, receipt_email: null, receipt_number: null, receipt_url: null, refunded: false },
    ...{ review: null, shipping: null, source: null, source_transfer: null, statement_descriptor: null },
    statement_descriptor_suffix: wire.statement_descriptor_suffix,
    ...{ status, transfer_data: null, transfer_group: null },
  };
  world.charges.set(id, charge);
  wire.latest_charge = id;
  return charge;
}

function detailsOf(
  world: StripeWorld,
  payment: Payment,
  { wire, isNetworkToken }: Method,
): Stripe.Charge.PaymentMethodDetails {
  const { type, card } = wire;
  if (!card) {
    const details = {
      ...wire[type as 'sepa_debit'],
      ...(payment.mandate ? { mandate: payment.mandate } : {}),
    };
    return { [type]: details, type };
  }
  const number = String(world.charges.size + 1);
  const isOpen = payment.wantsMulticapture && world.settings.hasMulticapture;
  const isManual = payment.wire.capture_method === 'manual';
  const details = {
    ...{ amount_authorized: payment.wire.amount, authorization_code: number.padStart(6, '0') },
    ...{ brand: card.brand, capture_before: isManual ? seconds(world) + HELD_MS / 1000 : undefined },
    ...{ checks: card.checks, country: card.country, exp_month: card.exp_month, exp_year: card.exp_year },
    ...{ extended_authorization: { status: 'disabled' }, fingerprint: card.fingerprint },
    funding: card.funding,
    incremental_authorization: { status: payment.wantsIncrements && isManual ? 'available' : 'unavailable' },
    ...{ installments: null, last4: card.last4, mandate: null },
    multicapture: { status: isOpen && isManual ? 'available' : 'unavailable' },
    ...{ network: card.brand, network_token: { used: isNetworkToken } },
    ...{ network_transaction_id: number.padStart(15, '1'), regulated_status: 'unregulated' },
    overcapture: { maximum_amount_capturable: payment.wire.amount, status: 'unavailable' },
    ...{ three_d_secure: payment.authentication, wallet: null },
  };
  return { card: details, type } as unknown as Stripe.Charge.PaymentMethodDetails;
}
