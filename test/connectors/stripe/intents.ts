import type Stripe from 'stripe';
import { checkStoredDetails, readAmountDetails, refuseDetails } from './amount-details.ts';
import { sendCharge, declineCharge, failPayment, release, react, settle } from './charges.ts';
import {
  allowedTypes,
  checkAmount,
  checkCurrency,
  checkMethod,
  checkRedirect,
  checkReturnUrl,
  checkStatement,
  checkUnconfirmed,
} from './checks.ts';
import { integerAt, isTrueAt, textAt, valueAt, type Values } from './form.ts';
import { stepOf } from './buyer-steps.ts';
import { METHOD_KINDS } from './method-kinds.ts';
import { createMethod, findCustomer, findMethod, metadataOf } from './methods.ts';
import { refuse, refuseMissing, refuseParameter, type Refusal } from './refusal.ts';
import { takeFee, takeTransfer } from './split-rules.ts';
import {
  chargeOf,
  emit,
  seconds,
  withMetadata,
  type Method,
  type Payment,
  type StripeWorld,
} from './world.ts';

/** Creates a payment intent, and confirms it with `confirm=true`. A decline leaves the intent behind. */
export function createPayment(world: StripeWorld, values: Values): Stripe.PaymentIntent {
  const payment = draft(world, values);
  const { wire } = payment;
  if (!isTrueAt(values, 'confirm')) {
    checkUnconfirmed(values);
    world.payments.set(wire.id, payment);
    emit(world, 'payment_intent.created', wire);
    return wire;
  }
  if (!payment.method)
    return refuseParameter(
      'You cannot confirm this PaymentIntent because it is missing a payment method.',
      ...['payment_method', 'payment_intent_unexpected_state'],
    );
  const ready = prepare(world, payment, values);
  // A refused confirmation creates nothing, so the intent exists only from here on.
  world.payments.set(wire.id, payment);
  emit(world, 'payment_intent.created', wire);
  return attempt(world, payment, ready);
}

function draft(world: StripeWorld, values: Values): Payment {
  const amount = integerAt(values, 'amount') ?? 0;
  const currency = textAt(values, 'currency') ?? '';
  checkCurrency(currency);
  checkAmount(amount, currency);
  const id = world.newId('pi');
  const allowed = allowedTypes(values);
  const wire: Stripe.PaymentIntent = {
    ...{ id, object: 'payment_intent', amount, amount_capturable: 0, amount_details: { tip: {} } },
    allowed_payment_method_types: allowed as Stripe.PaymentIntent['allowed_payment_method_types'],
    ...{ amount_received: 0, application: null, application_fee_amount: null },
    automatic_payment_methods: allowed ? null : automaticOf(values),
    ...{ canceled_at: null, cancellation_reason: null },
    capture_method: captureMethodOf(values),
    ...{ client_secret: `${id}_secret_${world.newId('s')}`, confirmation_method: 'automatic' },
    ...{ created: seconds(world), currency, customer: null, customer_account: null, description: null },
    ...{ excluded_payment_method_types: null, last_payment_error: null, latest_charge: null },
    ...{ livemode: false, managed_payments: null, metadata: {}, next_action: null, on_behalf_of: null },
    ...{ payment_method: null, payment_method_configuration_details: null, payment_method_options: {} },
    payment_method_types: [...(allowed ?? ['card', 'link'])],
    ...{ payment_record: null, processing: null, receipt_email: null, review: null },
    ...{ setup_future_usage: null, shipping: null, source: null, statement_descriptor: null },
    ...{ statement_descriptor_suffix: null, status: 'requires_payment_method', transfer_group: null },
  };
  const payment: Payment = {
    ...{ wire, key: world.request?.idempotency_key ?? null, captures: [], increments: [], authorized: 0 },
    ...{ method: null, details: readAmountDetails(values, amount) },
    ...{ returnUrl: null, declinesActions: false, isOffSession: false, isMoto: false, mandate: null },
    ...{ earlierId: null, hasCryptogram: false },
    ...{ wantsMulticapture: false, wantsIncrements: false, wantsThreeDSecure: false, authentication: null },
  };
  if (payment.details?.isWrong)
    wire.amount_details = { tip: {}, error: { code: 'amount_details_amount_mismatch', message: null } };
  takeTransfer(wire, values);
  apply(world, payment, values);
  return payment;
}

const automaticOf = (values: Values): Stripe.PaymentIntent.AutomaticPaymentMethods => ({
  enabled: true,
  allow_redirects:
    textAt(values, 'automatic_payment_methods', 'allow_redirects') === 'never' ? 'never' : 'always',
});

function captureMethodOf(values: Values): Stripe.PaymentIntent.CaptureMethod {
  const given = textAt(values, 'payment_method_options', 'card', 'capture_method');
  return given ?? textAt(values, 'capture_method') ?? 'automatic';
}

/** Takes over the parameters that a creation, an update and a confirmation share. */
function apply(world: StripeWorld, payment: Payment, values: Values): void {
  const { wire } = payment;
  checkStatement(values);
  const customer = textAt(values, 'customer');
  if (customer !== null) wire.customer = findCustomer(world, customer).id;
  for (const name of [
    ...(['description', 'statement_descriptor', 'statement_descriptor_suffix'] as const),
    ...(['receipt_email', 'transfer_group'] as const),
  ])
    wire[name] = textAt(values, name) ?? wire[name];
  const usage = textAt(values, 'setup_future_usage');
  if (usage !== null) wire.setup_future_usage = usage as 'off_session';
  wire.metadata = withMetadata(wire.metadata, metadataOf(values));
  if (values['shipping'] !== undefined) wire.shipping = values['shipping'] as Stripe.PaymentIntent.Shipping;
  takeOptions(payment, values);
  takeMethod(world, payment, values);
}

function takeOptions(payment: Payment, values: Values): void {
  const card = (name: string): string | null => textAt(values, 'payment_method_options', 'card', name);
  payment.wantsMulticapture ||= card('request_multicapture') === 'if_available';
  payment.wantsIncrements ||= card('request_incremental_authorization') === 'if_available';
  payment.wantsThreeDSecure ||= ['any', 'challenge'].includes(card('request_three_d_secure') ?? '');
  payment.isMoto ||= isTrueAt(values, 'payment_method_options', 'card', 'moto');
  payment.earlierId =
    textAt(values, 'payment_method_options', 'card', 'mit_exemption', 'network_transaction_id') ??
    payment.earlierId;
  payment.hasCryptogram ||= takesCryptogram(values);
  const given = valueAt(values, 'payment_method_options', 'card', 'three_d_secure');
  if (given === undefined) return;
  payment.authentication = {
    ...{ authentication_flow: 'challenge', result: 'authenticated', result_reason: null },
    electronic_commerce_indicator: textAt(given, 'electronic_commerce_indicator') as '05',
    ...{ exemption_indicator: null, transaction_id: textAt(given, 'transaction_id') },
    version: textAt(given, 'version') as '2.2.0',
  };
}

/** Reads the cryptogram of a network token. Refuses a malformed one, and a malformed indicator. */
function takesCryptogram(values: Values): boolean {
  const path = 'payment_method_options[card][network_token]';
  const given = valueAt(values, 'payment_method_options', 'card', 'network_token');
  if (given === undefined) return false;
  if (!/^[A-Za-z0-9+/]{8,}={0,2}$/.test(textAt(given, 'cryptogram') ?? ''))
    refuseParameter('The cryptogram is not in base64.', `${path}[cryptogram]`);
  const eci = textAt(given, 'electronic_commerce_indicator');
  if (eci !== null && !/^0[0-7]$/.test(eci))
    refuseParameter('Invalid indicator.', `${path}[electronic_commerce_indicator]`);
  return true;
}

function takeMethod(world: StripeWorld, payment: Payment, values: Values): void {
  const { wire } = payment;
  const id = textAt(values, 'payment_method');
  const data = valueAt(values, 'payment_method_data');
  if (id !== null && data !== undefined)
    refuseParameter(
      'You may only specify one of these parameters: payment_method, payment_method_data.',
      'payment_method_data',
      'parameters_exclusive',
    );
  const method =
    id !== null
      ? findMethod(world, id)
      : data === undefined
        ? null
        : createMethod(world, data as Values, 'payment_method_data');
  if (!method) return;
  payment.method = method;
  wire.payment_method = method.wire.id;
  if (wire.status === 'requires_payment_method') wire.status = 'requires_confirmation';
}

/** Finds a payment intent. */
export const findPayment = (world: StripeWorld, id: string, param = 'intent', status = 404): Payment =>
  world.payments.get(id) ?? refuseMissing('payment_intent', id, param, status);

/** Ends a request that the status of a payment intent does not allow. */
function refuseState({ wire }: Payment, verb: string): never {
  return refuse({
    ...{ status: 400, type: 'invalid_request_error', code: 'payment_intent_unexpected_state' },
    message: `This PaymentIntent could not be ${verb} because it has a status of ${wire.status}.`,
    payment_intent: structuredClone(wire),
  });
}

const OPEN = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

export function updatePayment(world: StripeWorld, payment: Payment, values: Values): Stripe.PaymentIntent {
  const { wire } = payment;
  const onlyDescribes = Object.keys(values).every((name) =>
    ['metadata', 'description', 'expand'].includes(name),
  );
  if (!OPEN.includes(wire.status) && !onlyDescribes) refuseState(payment, 'updated');
  const amount = integerAt(values, 'amount') ?? wire.amount;
  checkAmount(amount, wire.currency);
  apply(world, payment, values);
  wire.amount = amount;
  return wire;
}

export function confirmPayment(world: StripeWorld, payment: Payment, values: Values): Stripe.PaymentIntent {
  if (!OPEN.includes(payment.wire.status)) refuseState(payment, 'confirmed');
  apply(world, payment, values);
  return attempt(world, payment, prepare(world, payment, values));
}

/** Checks a confirmation before anything happens. */
function prepare(world: StripeWorld, payment: Payment, values: Values): Method {
  const { wire, method } = payment;
  if (!method) return refuseState(payment, 'confirmed');
  payment.returnUrl = checkReturnUrl(values) ?? payment.returnUrl;
  payment.isOffSession = values['off_session'] !== undefined && values['off_session'] !== false;
  payment.declinesActions = isTrueAt(values, 'error_on_requires_action');
  const mandate = textAt(values, 'mandate');
  if (mandate !== null && !world.mandates.has(mandate)) refuseMissing('mandate', mandate, 'mandate', 400);
  const known = mandate ?? mandateOf(world, method);
  checkMethod(payment, method, values, known !== null);
  if (payment.earlierId !== null && !payment.isOffSession)
    refuseParameter(
      'You can only use mit_exemption with off_session=true.',
      'payment_method_options[card][mit_exemption]',
    );
  checkRedirect(payment, method, values);
  const flow = METHOD_KINDS[method.wire.type]?.flow;
  payment.mandate = flow === 'debit' ? (known ?? createMandate(world, method, values)) : null;
  wire.payment_method_types = wire.allowed_payment_method_types?.map(String) ?? wire.payment_method_types;
  return method;
}

/** Returns the active mandate of a payment method. */
export const mandateOf = (world: StripeWorld, method: Method): string | null =>
  [...world.mandates.values()].find(
    ({ payment_method, status }) => payment_method === method.wire.id && status === 'active',
  )?.id ?? null;

export function createMandate(world: StripeWorld, method: Method, values: Values): string {
  const acceptance = valueAt(values, 'mandate_data', 'customer_acceptance');
  const type = textAt(acceptance, 'type') ?? 'online';
  const ip_address = textAt(acceptance, 'online', 'ip_address');
  const user_agent = textAt(acceptance, 'online', 'user_agent');
  if (type === 'online' && (ip_address === null || user_agent === null)) {
    const missing = `mandate_data[customer_acceptance][online][${ip_address === null ? 'ip_address' : 'user_agent'}]`;
    refuseParameter(`Missing required param: ${missing}.`, missing, 'parameter_missing');
  }
  const mandate = {
    ...{ id: world.newId('mandate'), object: 'mandate' },
    customer_acceptance: {
      accepted_at: integerAt(acceptance, 'accepted_at') ?? seconds(world),
      ...(type === 'online' ? { online: { ip_address, user_agent } } : { offline: {} }),
      type,
    },
    ...{ livemode: false, multi_use: {}, payment_method: method.wire.id },
    payment_method_details: { [method.wire.type]: {}, type: method.wire.type },
    ...{ status: 'active', type: 'multi_use' },
  } as unknown as Stripe.Mandate;
  world.mandates.set(mandate.id, mandate);
  return mandate.id;
}

/** Tries to pay. A decline ends the request with an error, and the intent waits for another payment method. */
function attempt(world: StripeWorld, payment: Payment, method: Method): Stripe.PaymentIntent {
  payment.wire.last_payment_error = null;
  const refusal = start(world, payment, method);
  return refusal ? refuse(refusal) : payment.wire;
}

function start(world: StripeWorld, payment: Payment, method: Method): Refusal | null {
  const flow = METHOD_KINDS[method.wire.type]?.flow;
  if (flow === 'redirect' || flow === 'voucher' || flow === 'qr') return ask(world, payment, method);
  if (method.isNetworkToken && !payment.hasCryptogram && !payment.isOffSession)
    return declineCharge(world, payment, method, { code: 'card_declined', decline_code: 'do_not_honor' });
  if (flow === 'card' && needsBuyer(payment, method)) {
    const code = 'authentication_required';
    if (payment.isOffSession) return declineCharge(world, payment, method, { code, decline_code: code });
    if (payment.declinesActions) return failPayment(world, payment, { code }, null);
    return ask(world, payment, method);
  }
  return sendCharge(world, payment, method);
}

function needsBuyer(payment: Payment, { card, isSetUp }: Method): boolean {
  if (payment.authentication || payment.isMoto) return false;
  if (card.authenticates === 'always') return true;
  if (card.authenticates === 'unless_stored') return !(isSetUp && payment.isOffSession);
  return payment.wantsThreeDSecure && !payment.isOffSession;
}

function ask(world: StripeWorld, payment: Payment, method: Method): null {
  const { wire, returnUrl } = payment;
  wire.status = 'requires_action';
  const url = `${world.pages}/redirect/authenticate/${wire.id}?client_secret=${wire.client_secret ?? ''}`;
  const { type } = method.wire;
  const step = stepOf(type, { url, returnUrl, expiresAt: seconds(world) + 3 * 86_400 });
  if (step) wire.next_action = step;
  else if (returnUrl === null)
    wire.next_action = {
      type: 'use_stripe_sdk',
      use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url, source: world.newId('src') },
    };
  else wire.next_action = { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } };
  emit(world, 'payment_intent.requires_action', wire);
  return null;
}

/** The buyer's decision on the page of the bank, the wallet or the voucher. */
export type BuyerDecision = 'approve' | 'refuse';

/** Carries out the buyer's decision. Returns the address to which the page sends the buyer, or null. */
export function decidePayment(world: StripeWorld, payment: Payment, decision: BuyerDecision): string | null {
  const { wire, method, returnUrl } = payment;
  if (wire.status === 'requires_action' && method) {
    if (decision === 'refuse')
      failPayment(world, payment, { code: 'payment_intent_authentication_failure' }, null);
    else {
      if (method.wire.type === 'card') payment.authentication = authenticated(world);
      sendCharge(world, payment, method);
    }
  }
  if (returnUrl === null) return null;
  const url = new URL(returnUrl);
  url.searchParams.set('payment_intent', wire.id);
  url.searchParams.set('payment_intent_client_secret', wire.client_secret ?? '');
  const hasFailed = wire.status === 'requires_payment_method';
  url.searchParams.set('redirect_status', hasFailed ? 'failed' : 'succeeded');
  return url.href;
}

const authenticated = (world: StripeWorld): NonNullable<Payment['authentication']> => ({
  ...{ authentication_flow: 'challenge', electronic_commerce_indicator: '05', exemption_indicator: null },
  ...{ result: 'authenticated', result_reason: null, transaction_id: world.newId('ds') },
  version: '2.2.0',
});

/** Captures. A capture that is not final needs `multicapture` of the charge. */
export function capturePayment(world: StripeWorld, payment: Payment, values: Values): Stripe.PaymentIntent {
  const { wire, method } = payment;
  const charge = chargeOf(world, payment);
  if (wire.status !== 'requires_capture' || !charge || !method) return refuseState(payment, 'captured');
  const amount = integerAt(values, 'amount_to_capture') ?? wire.amount_capturable;
  const isFinal = values['final_capture'] !== false;
  checkStatement(values);
  if (amount < 1 && !(isFinal && payment.captures.length > 0))
    refuseParameter('This value must be greater than or equal to 1.', 'amount_to_capture');
  if (amount > wire.amount_capturable)
    refuseParameter(
      `The amount to capture is greater than the amount you can capture, ${wire.amount_capturable}.`,
      ...['amount_to_capture', 'amount_too_large'],
    );
  if (payment.captures.length > 0) refuseDetails(values);
  if (!readAmountDetails(values, amount)) checkStoredDetails(payment.details, amount);
  if (!isFinal && charge.payment_method_details?.card?.multicapture?.status !== 'available')
    refuseParameter('This PaymentIntent is not eligible for multiple captures.', 'final_capture');
  takeFee(wire, values, amount);
  wire.metadata = withMetadata(wire.metadata, metadataOf(values));
  if (amount > 0) settle(world, payment, charge, amount);
  payment.captures.push({ key: world.request?.idempotency_key ?? null, amount });
  const rest = wire.amount_capturable - amount;
  wire.amount_capturable = isFinal ? 0 : rest;
  emit(world, 'charge.captured', charge);
  if (wire.amount_capturable > 0) emit(world, 'payment_intent.amount_capturable_updated', wire);
  else {
    wire.status = 'succeeded';
    emit(world, 'payment_intent.succeeded', wire);
    react(world, charge, method);
  }
  return wire;
}

export function cancelPayment(world: StripeWorld, payment: Payment, values: Values): Stripe.PaymentIntent {
  const { wire } = payment;
  if (![...OPEN, 'requires_capture'].includes(wire.status)) refuseState(payment, 'canceled');
  release(world, payment, textAt(values, 'cancellation_reason'));
  emit(world, 'payment_intent.canceled', wire);
  return wire;
}

/** Raises the authorised amount. `amount` is the new total. */
export function incrementPayment(world: StripeWorld, payment: Payment, values: Values): Stripe.PaymentIntent {
  const { wire } = payment;
  const charge = chargeOf(world, payment);
  if (wire.status !== 'requires_capture' || !charge) return refuseState(payment, 'incremented');
  const amount = integerAt(values, 'amount') ?? 0;
  checkAmount(amount, wire.currency);
  if (charge.payment_method_details?.card?.incremental_authorization?.status !== 'available')
    refuseParameter('This PaymentIntent is not eligible for incremental authorization.');
  if (amount <= wire.amount)
    refuseParameter('The amount must be greater than the currently authorized amount.', 'amount');
  wire.metadata = withMetadata(wire.metadata, metadataOf(values));
  wire.description = textAt(values, 'description') ?? wire.description;
  payment.increments.push({ key: world.request?.idempotency_key ?? null, amount: amount - wire.amount });
  wire.amount_capturable += amount - wire.amount;
  wire.amount = amount;
  charge.amount = amount;
  payment.authorized = amount;
  emit(world, 'payment_intent.amount_capturable_updated', wire);
  return wire;
}
