import type Stripe from 'stripe';
import { allowedTypes, checkReturnUrl, checkUnconfirmed } from './checks.ts';
import { isTrueAt, textAt, valueAt, type Values } from './form.ts';
import { createMandate, mandateOf, type BuyerDecision } from './intents.ts';
import { METHOD_KINDS } from './method-kinds.ts';
import { attach, createMethod, findCustomer, findMethod, metadataOf } from './methods.ts';
import { refuse, refuseParameter, type Refusal } from './refusal.ts';
import { emit, seconds, withMetadata, type Method, type Setup, type StripeWorld } from './world.ts';

/** Creates a setup intent, which stores a payment method without a payment. */
export function createSetup(world: StripeWorld, values: Values): Stripe.SetupIntent {
  const id = world.newId('seti');
  const allowed = allowedTypes(values);
  const customer = textAt(values, 'customer');
  const wire: Stripe.SetupIntent = {
    ...{ id, object: 'setup_intent', application: null, cancellation_reason: null },
    allowed_payment_method_types: allowed as Stripe.SetupIntent['allowed_payment_method_types'],
    automatic_payment_methods: allowed ? null : { enabled: true, allow_redirects: 'always' },
    ...{ client_secret: `${id}_secret_${world.newId('s')}`, created: seconds(world) },
    customer: customer === null ? null : findCustomer(world, customer).id,
    ...{ description: textAt(values, 'description'), excluded_payment_method_types: null },
    ...{ last_setup_error: null, latest_attempt: null, livemode: false, mandate: null },
    ...{ metadata: withMetadata({}, metadataOf(values)), next_action: null, on_behalf_of: null },
    ...{ payment_method: null, payment_method_configuration_details: null, payment_method_options: {} },
    ...{ payment_method_types: [...(allowed ?? ['card', 'link'])], single_use_mandate: null },
    ...{ status: 'requires_payment_method', usage: textAt(values, 'usage') ?? 'off_session' },
  };
  const setup: Setup = { wire, method: null, returnUrl: null };
  takeMethod(world, setup, values);
  const confirms = isTrueAt(values, 'confirm');
  if (!confirms) checkUnconfirmed(values);
  const method = confirms ? prepare(world, setup, values) : null;
  world.setups.set(id, setup);
  emit(world, 'setup_intent.created', wire);
  return method ? attempt(world, setup, method) : wire;
}

function takeMethod(world: StripeWorld, setup: Setup, values: Values): void {
  const id = textAt(values, 'payment_method');
  const data = valueAt(values, 'payment_method_data');
  if (id !== null) setup.method = findMethod(world, id);
  else if (data !== undefined) setup.method = createMethod(world, data as Values, 'payment_method_data');
  if (!setup.method) return;
  setup.wire.payment_method = setup.method.wire.id;
  setup.wire.status = 'requires_confirmation';
}

export function confirmSetup(world: StripeWorld, setup: Setup, values: Values): Stripe.SetupIntent {
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(setup.wire.status))
    refuseState(setup, 'confirmed');
  takeMethod(world, setup, values);
  return attempt(world, setup, prepare(world, setup, values));
}

function refuseState({ wire }: Setup, verb: string): never {
  return refuse({
    ...{ status: 400, type: 'invalid_request_error', code: 'setup_intent_unexpected_state' },
    message: `You cannot have this SetupIntent ${verb} because it has a status of ${wire.status}.`,
    setup_intent: structuredClone(wire),
  });
}

function prepare(world: StripeWorld, setup: Setup, values: Values): Method {
  const { wire, method } = setup;
  if (!method) return refuseState(setup, 'confirmed');
  const { type, customer } = method.wire;
  const allowed = wire.allowed_payment_method_types as readonly string[] | null;
  if (allowed && !allowed.includes(type))
    refuseParameter(`The PaymentMethod provided (${type}) is not allowed.`, 'payment_method');
  if (customer !== null && customer !== wire.customer)
    refuseParameter('The PaymentMethod belongs to another Customer.', 'payment_method');
  setup.returnUrl = checkReturnUrl(values) ?? setup.returnUrl;
  if (setup.returnUrl === null && allowed === null && !isTrueAt(values, 'use_stripe_sdk'))
    refuseParameter('This SetupIntent might redirect the customer, so you must provide a `return_url`.');
  if (METHOD_KINDS[type]?.flow !== 'debit') return method;
  const known = mandateOf(world, method);
  if (known === null && valueAt(values, 'mandate_data') === undefined)
    refuseParameter('Missing required param: mandate_data.', 'mandate_data', 'parameter_missing');
  wire.mandate = known ?? createMandate(world, method, values);
  return method;
}

function attempt(world: StripeWorld, setup: Setup, method: Method): Stripe.SetupIntent {
  const { wire, returnUrl } = setup;
  wire.last_setup_error = null;
  if (method.card.authenticates !== undefined) {
    wire.status = 'requires_action';
    const url = `${world.pages}/redirect/authenticate/${wire.id}`;
    wire.next_action =
      returnUrl === null
        ? { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } }
        : { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } };
    emit(world, 'setup_intent.requires_action', wire);
    return wire;
  }
  const refusal = complete(world, setup, method);
  return refusal ? refuse(refusal) : wire;
}

function complete(world: StripeWorld, setup: Setup, method: Method): Refusal | null {
  const { wire } = setup;
  if (method.card.decline)
    return fail(world, setup, method.card.decline.code, method.card.decline.decline_code);
  if (typeof wire.customer === 'string') attach(world, method, wire.customer);
  method.isSetUp = wire.usage === 'off_session';
  wire.status = 'succeeded';
  wire.next_action = null;
  emit(world, 'setup_intent.succeeded', wire);
  return null;
}

function fail(world: StripeWorld, setup: Setup, code: string, decline_code?: string): Refusal {
  const { wire, method } = setup;
  const error = {
    ...{ type: 'card_error' as const, code, message: `The setup failed: ${code}.` },
    ...(decline_code === undefined ? {} : { decline_code }),
    ...(method ? { payment_method: structuredClone(method.wire) } : {}),
  };
  wire.status = 'requires_payment_method';
  wire.payment_method = null;
  wire.next_action = null;
  wire.last_setup_error = error;
  emit(world, 'setup_intent.setup_failed', wire);
  return { status: 402, ...error, setup_intent: structuredClone(wire) };
}

/** Carries out the buyer's decision. Returns the address to which the page sends the buyer, or null. */
export function decideSetup(world: StripeWorld, setup: Setup, decision: BuyerDecision): string | null {
  const { wire, method, returnUrl } = setup;
  if (wire.status === 'requires_action' && method) {
    if (decision === 'refuse') fail(world, setup, 'setup_intent_authentication_failure');
    else complete(world, setup, method);
  }
  if (returnUrl === null) return null;
  const url = new URL(returnUrl);
  url.searchParams.set('setup_intent', wire.id);
  url.searchParams.set('setup_intent_client_secret', wire.client_secret ?? '');
  url.searchParams.set('redirect_status', wire.status === 'succeeded' ? 'succeeded' : 'failed');
  return url.href;
}

export function cancelSetup(world: StripeWorld, setup: Setup, values: Values): Stripe.SetupIntent {
  const { wire } = setup;
  if (wire.status === 'succeeded' || wire.status === 'canceled') refuseState(setup, 'canceled');
  wire.status = 'canceled';
  wire.next_action = null;
  wire.cancellation_reason = textAt(values, 'cancellation_reason') as 'abandoned' | null;
  emit(world, 'setup_intent.canceled', wire);
  return wire;
}
