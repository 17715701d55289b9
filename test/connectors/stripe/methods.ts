import type Stripe from 'stripe';
import { METHOD_KINDS } from './method-kinds.ts';
import { integerAt, textAt, valueAt, type Value, type Values } from './form.ts';
import { refuse, refuseMissing, refuseParameter } from './refusal.ts';
import {
  findTestAccount,
  findTestName,
  findTestNumber,
  findTestToken,
  TEST_BANK_NAMES,
  type TestCard,
} from './test-methods.ts';
import { emit, seconds, withMetadata, type Method, type StripeWorld } from './world.ts';

/** The expiry of test cards by name. */
const EXPIRY = { month: 12, year: 2034 };

/** Creates a payment method from the parameters of a call, or from the `payment_method_data` of another call. */
export function createMethod(world: StripeWorld, values: Values, path = ''): Method {
  const param = (name: string): string => (path === '' ? name : `${path}[${name}]`);
  const type = textAt(values, 'type');
  if (type === null)
    return refuseParameter(`Missing required param: ${param('type')}.`, param('type'), 'parameter_missing');
  const kind = METHOD_KINDS[type];
  if (!kind) return refuseParameter(`The double knows no payment methods of type ${type}.`, param('type'));
  for (const each of Object.keys(METHOD_KINDS))
    if (each !== type && valueAt(values, each) !== undefined)
      refuseParameter(
        `You provided ${param(each)}, but the type is ${type}.`,
        ...[param(each), 'parameter_unknown'],
      );
  for (const name of kind.details)
    if (textAt(values, type, name) === null) {
      const missing = `${param(type)}[${name}]`;
      refuseParameter(`Missing required param: ${missing}.`, missing, 'parameter_missing');
    }
  for (const need of kind.needs) {
    const parts = need.split('.');
    if (need === 'shipping' || textAt(values, 'billing_details', ...parts) !== null) continue;
    const missing = `${param('billing_details')}${parts.map((part) => `[${part}]`).join('')}`;
    refuseParameter(`Missing required param: ${missing}.`, missing, 'parameter_missing');
  }
  const country = textAt(values, 'billing_details', 'address', 'country');
  if (kind.countries && country !== null && !kind.countries.includes(country))
    refuseParameter(
      `The country ${country} is invalid for payment methods of type ${type}.`,
      ...[`${param('billing_details')}[address][country]`, 'country_unsupported'],
    );
  if (type === 'card') return createCard(world, values);
  const number = textAt(values, type, 'account_number') ?? textAt(values, type, 'iban') ?? '';
  if (kind.flow === 'debit') checkAccount(type, values, param(type));
  return add(world, values, {
    type,
    details: { [type]: bankDetails(type, values[type], number) },
    account: findTestAccount(number),
  });
}

/** Refuses an account number that cannot exist in its country. */
function checkAccount(type: string, values: Values, path: string): void {
  const number = textAt(values, type, 'account_number') ?? '';
  if (type === 'sepa_debit' && !hasIbanChecksum(textAt(values, type, 'iban') ?? ''))
    refuseParameter('The IBAN you provided is invalid.', `${path}[iban]`, 'invalid_bank_account_iban');
  if (type === 'us_bank_account' && !/^\d{9}$/.test(textAt(values, type, 'routing_number') ?? ''))
    refuseParameter('Routing number must have 9 digits', `${path}[routing_number]`, 'routing_number_invalid');
  if (type === 'us_bank_account' && !/^\d{4,17}$/.test(number))
    refuseParameter('Invalid account number', `${path}[account_number]`, 'account_number_invalid');
  if (type === 'bacs_debit' && !/^\d{6,8}$/.test(number))
    refuseParameter('Invalid account number', `${path}[account_number]`, 'account_number_invalid');
  if (type === 'bacs_debit' && !/^\d{6}$/.test(textAt(values, type, 'sort_code') ?? ''))
    refuseParameter('Invalid sort code', `${path}[sort_code]`, 'parameter_invalid_string');
}

function hasIbanChecksum(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (each) => `${parseInt(each, 36)}`);
  return BigInt(digits) % 97n === 1n;
}

function bankDetails(type: string, details: Value | undefined, number: string): object {
  const last4 = number.slice(-4);
  const fingerprint = `bank${last4}`;
  if (type === 'sepa_debit')
    return {
      ...{ bank_code: number.slice(4, 12), branch_code: '', country: number.slice(0, 2), fingerprint },
      ...{ generated_from: { charge: null, setup_attempt: null }, last4 },
    };
  if (type === 'bacs_debit') return { fingerprint, last4, sort_code: textAt(details, 'sort_code') };
  if (type !== 'us_bank_account') return typeof details === 'object' ? details : {};
  return {
    account_holder_type: textAt(details, 'account_holder_type'),
    account_type: textAt(details, 'account_type') ?? 'checking',
    ...{ bank_name: 'STRIPE TEST BANK', financial_connections_account: null, fingerprint, last4 },
    ...{ networks: { preferred: 'ach', supported: ['ach'] }, status_details: null },
    routing_number: textAt(details, 'routing_number'),
  };
}

function createCard(world: StripeWorld, values: Values): Method {
  const token = textAt(values, 'card', 'token');
  if (token !== null) {
    if (!token.startsWith('tok_')) refuseMissing('token', token, 'card[token]', 400);
    const known = findTestToken(token) ?? findTestNumber('4242424242424242');
    return addCard(world, values, known, { ...EXPIRY, cvc: null });
  }
  const networkToken = valueAt(values, 'card', 'network_token');
  if (networkToken !== undefined) return createNetworkToken(world, values, networkToken);
  const number = textAt(values, 'card', 'number');
  if (number === null)
    return refuseParameter('Missing required param: card[number].', 'card[number]', 'parameter_missing');
  if (!world.settings.takesRawCards)
    return refuse({
      ...{ status: 402, type: 'invalid_request_error' },
      message: 'Sending credit card numbers directly to the Stripe API is generally unsafe.',
    });
  return addCard(world, values, findTestNumber(number), checkExpiry(world, values));
}

/** The last digits are those that the caller gives for the card behind the token. */
function createNetworkToken(world: StripeWorld, values: Values, token: Value): Method {
  const last4 = textAt(values, 'card', 'last4') ?? '';
  if (!/^\d{4}$/.test(last4)) refuseParameter('Must be 4 digits.', 'payment_method_data[card][last4]');
  checkExpiry(world, values);
  const entry = checkExpiry(world, { card: token });
  const number = textAt(token, 'number') ?? '';
  return addCard(world, values, findTestNumber(number), { ...entry, last4, isNetworkToken: true });
}

type CardEntry = {
  readonly month: number;
  readonly year: number;
  readonly cvc: string | null;
  readonly last4?: string;
  readonly isNetworkToken?: boolean;
};

/** Refuses impossible values of a card as Stripe does, with an error of the card and not of the request. */
function checkExpiry(world: StripeWorld, values: Values): CardEntry {
  const month = integerAt(values, 'card', 'exp_month');
  const year = integerAt(values, 'card', 'exp_year');
  if (month === null || year === null) {
    const missing = month === null ? 'card[exp_month]' : 'card[exp_year]';
    return refuseParameter(`Missing required param: ${missing}.`, missing, 'parameter_missing');
  }
  if (month < 1 || month > 12) refuseCard('invalid_expiry_month', 'exp_month');
  const today = world.now();
  const isPast =
    year < today.getUTCFullYear() ||
    (year === today.getUTCFullYear() && month < today.getUTCMonth() + 1) ||
    year > today.getUTCFullYear() + 50;
  if (isPast) refuseCard('invalid_expiry_year', 'exp_year');
  const cvc = textAt(values, 'card', 'cvc');
  if (cvc !== null && !/^\d{3,4}$/.test(cvc)) refuseCard('invalid_cvc', 'cvc');
  return { month, year, cvc };
}

const refuseCard = (code: string, param: string): never =>
  refuse({ ...{ status: 402, type: 'card_error', code, param }, message: `The card's ${param} is invalid.` });

function addCard(
  world: StripeWorld,
  values: Values,
  known: TestCard | null | undefined,
  { month, year, cvc, last4, isNetworkToken = false }: CardEntry,
): Method {
  if (!known) return refuseCard('incorrect_number', 'number');
  const { brand, funding, number, behaviour } = known;
  const postal = textAt(values, 'billing_details', 'address', 'postal_code');
  const line1 = textAt(values, 'billing_details', 'address', 'line1');
  const { checks } = behaviour;
  const card = {
    ...{ brand, display_brand: brand, country: 'US', exp_month: month, exp_year: year, funding },
    checks: {
      address_line1_check: line1 === null ? null : (checks?.line1 ?? 'pass'),
      address_postal_code_check: postal === null ? null : (checks?.postal ?? 'pass'),
      cvc_check: cvc === null ? null : (checks?.cvc ?? 'pass'),
    },
    ...{ fingerprint: `card${number.slice(-8)}`, generated_from: null, last4: last4 ?? number.slice(-4) },
    ...{ networks: { available: [brand], preferred: null }, regulated_status: 'unregulated' },
    ...{ three_d_secure_usage: { supported: true }, wallet: null },
  };
  return add(world, values, { type: 'card', details: { card }, card: behaviour, isNetworkToken });
}

function add(
  world: StripeWorld,
  values: Values,
  given: Pick<Partial<Method>, 'card' | 'account' | 'isNetworkToken'> & {
    readonly type: string;
    readonly details: object;
  },
): Method {
  const address = (name: string): string | null => textAt(values, 'billing_details', 'address', name);
  // The SDK's type lists all details of all types, so its literal would name each.
  const wire = {
    ...{ id: world.newId('pm'), object: 'payment_method', allow_redisplay: 'unspecified' },
    billing_details: {
      address: {
        ...{ city: address('city'), country: address('country'), line1: address('line1') },
        ...{ line2: address('line2'), postal_code: address('postal_code'), state: address('state') },
      },
      email: textAt(values, 'billing_details', 'email'),
      name: textAt(values, 'billing_details', 'name'),
      phone: textAt(values, 'billing_details', 'phone'),
      tax_id: null,
    },
    ...{ created: seconds(world), customer: null, customer_account: null, livemode: false },
    metadata: withMetadata({}, metadataOf(values)),
    ...{ type: given.type, ...given.details },
  } as unknown as Stripe.PaymentMethod;
  const method: Method = {
    ...{ wire, card: given.card ?? {}, account: given.account ?? {}, isSpent: false, isSetUp: false },
    isNetworkToken: given.isNetworkToken ?? false,
  };
  world.methods.set(wire.id, method);
  return method;
}

/** Returns the metadata of a call. Refuses too many or too long values. */
export function metadataOf(values: Values): Readonly<Record<string, string>> | '' | null {
  const given = values['metadata'];
  if (given === undefined) return null;
  if (given === '') return '';
  const entries = Object.entries(given).map(
    ([name, value]) => [name, `${value as string | number}`] as const,
  );
  if (entries.length > 50) refuseParameter('Metadata can have up to 50 keys.', 'metadata');
  for (const [name, value] of entries) {
    if (name.length > 40) refuseParameter('Metadata keys can have up to 40 characters.', `metadata[${name}]`);
    if (value.length > 500)
      refuseParameter('Metadata values can have up to 500 characters.', `metadata[${name}]`);
  }
  return Object.fromEntries(entries);
}

/** Returns a payment method by its id. The name of a test method stands for a new payment method each time. */
export function findMethod(world: StripeWorld, id: string, param = 'payment_method'): Method {
  const known = world.methods.get(id);
  if (known) return known;
  const card = findTestName(id);
  // A test name has a security code that passes.
  if (card) return addCard(world, {}, card, { ...EXPIRY, cvc: '123' });
  const account_number = TEST_BANK_NAMES[id];
  if (account_number !== undefined)
    return createMethod(world, {
      ...{ type: 'us_bank_account', billing_details: { name: 'Jenny Rosen', email: 'jenny@example.com' } },
      us_bank_account: { account_number, routing_number: '110000000', account_holder_type: 'individual' },
    });
  return refuseMissing('PaymentMethod', id, param, 400);
}

export function findCustomer(world: StripeWorld, id: string): Stripe.Customer {
  return world.customers.get(id) ?? refuseMissing('customer', id, 'customer', 400);
}

/** Attaches a payment method to a customer. */
export function attach(world: StripeWorld, method: Method, customer: string): void {
  findCustomer(world, customer);
  if (method.wire.customer === customer) return;
  if (method.wire.customer !== null)
    refuseParameter('The payment method you provided has already been attached to a customer.');
  if (method.isSpent) refuseSpent();
  method.wire.customer = customer;
  emit(world, 'payment_method.attached', method.wire);
}

/** Detaches a payment method for ever. */
export function detach(world: StripeWorld, method: Method): void {
  if (method.wire.customer === null)
    refuseParameter(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
      'payment_method',
    );
  const { customer } = method.wire;
  method.wire.customer = null;
  method.isSpent = true;
  emit(world, 'payment_method.detached', method.wire, { customer });
}

export const refuseSpent = (): never =>
  refuseParameter(
    'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, or was detached from a Customer. It may not be used again.',
    'payment_method',
  );

/** Creates a customer. */
export function createCustomer(world: StripeWorld, values: Values): Stripe.Customer {
  const customer: Stripe.Customer = {
    ...{ id: world.newId('cus'), object: 'customer', address: null, balance: 0, created: seconds(world) },
    ...{ currency: null, customer_account: null, default_source: null, delinquent: false },
    description: textAt(values, 'description'),
    ...{ discount: null, email: textAt(values, 'email'), invoice_prefix: 'A1B2C3D4' },
    invoice_settings: {
      ...{ custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    },
    ...{ livemode: false, metadata: withMetadata({}, metadataOf(values)), name: textAt(values, 'name') },
    ...{ next_invoice_sequence: 1, phone: textAt(values, 'phone'), preferred_locales: [], shipping: null },
    ...{ tax_exempt: 'none', test_clock: null },
  };
  world.customers.set(customer.id, customer);
  const paymentMethod = textAt(values, 'payment_method');
  if (paymentMethod !== null) attach(world, findMethod(world, paymentMethod), customer.id);
  emit(world, 'customer.created', customer);
  return customer;
}
