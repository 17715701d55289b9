import { refuse } from './refusal.ts';
import type { NewPayment } from './schemas.ts';
import {
  HOUR_MS,
  MINUTE_MS,
  readAmount,
  sumOf,
  type Amount,
  type MollieWorld,
  type Part,
  type Payment,
} from './world.ts';

/** The currencies of the methods that do not take every currency. */
const CURRENCIES: Readonly<Record<string, readonly string[]>> = {
  ...{ bancontact: ['EUR'], blik: ['PLN', 'EUR'], eps: ['EUR'], ideal: ['EUR'], swish: ['SEK'] },
  ...{ przelewy24: ['EUR', 'PLN'], vipps: ['NOK'] },
};

const NEEDS_LINES: ReadonlySet<string> = new Set([
  ...['klarna', 'billie', 'in3', 'riverty', 'billink', 'voucher'],
]);

const TAKES_CAPTURES: ReadonlySet<string> = new Set(['creditcard', 'klarna', 'billie', 'riverty']);

/** The time in which a buyer pays, by method. */
const OPEN_MS: Readonly<Record<string, number>> = {
  ...{ ideal: 15 * MINUTE_MS, creditcard: 30 * MINUTE_MS, bancontact: HOUR_MS, paypal: 3 * HOUR_MS },
};

/** The amounts in euros with which a card fails, by their reason. */
const MAGIC: Readonly<Record<number, string>> = {
  ...{ 1001: 'invalid_card_number', 1002: 'invalid_cvv', 1003: 'invalid_card_holder_name' },
  ...{ 1004: 'card_expired', 1005: 'invalid_card_type', 1006: 'refused_by_issuer' },
  ...{ 1007: 'insufficient_funds', 1008: 'inactive_card', 1009: 'possible_fraud' },
  1010: 'authentication_failed',
};

const magicOf = ({ currency, minor }: Amount): string | undefined =>
  currency === 'EUR' ? MAGIC[minor / 100] : undefined;

/** Creates a payment. A stored method pays at once, and so does a card token without an authentication. */
export function createPayment(world: MollieWorld, given: NewPayment, key: string | null): Payment {
  const amount = readAmount(given.amount);
  const sequenceType = given.sequenceType ?? 'oneoff';
  refusePayment(given, amount);
  refuseCustomer(world, given, sequenceType);
  const isDirect = sequenceType === 'recurring' || given.cardToken === 'tkn_direct';
  // Without an authentication, a declined card token makes no payment.
  if (given.cardToken === 'tkn_direct' && magicOf(amount)) refuse(world.declinedAs, 'The card was declined.');
  const createdAt = world.now();
  const method = given.method ?? (sequenceType === 'recurring' ? 'creditcard' : null);
  const payment: Payment = {
    ...{ id: world.newId('tr'), key, amount, description: given.description, method },
    ...{ metadata: given.metadata ?? null, redirectUrl: given.redirectUrl ?? null },
    ...{ webhookUrl: given.webhookUrl ?? null, captureMode: given.captureMode ?? 'automatic', sequenceType },
    ...{ customerId: given.customerId ?? null, mandateId: given.mandateId ?? null, createdAt },
    expiresAt: new Date(createdAt.getTime() + (OPEN_MS[method ?? ''] ?? HOUR_MS)),
    ...{ status: 'open', hasPage: !isDirect, failureReason: null, authorizedAt: null, paidAt: null },
    ...{ canceledAt: null, expiredAt: null, failedAt: null, captures: [], refunds: [], chargebacks: [] },
  };
  world.payments.set(payment.id, payment);
  if (isDirect) pay(world, payment);
  return payment;
}

function refusePayment(given: NewPayment, { minor, currency }: Amount): void {
  const { method = '', sequenceType } = given;
  if (minor < 1) refuse(422, 'The amount is too low.', 'amount');
  if (given.redirectUrl === undefined && sequenceType !== 'recurring')
    refuse(422, 'The redirect URL is missing.', 'redirectUrl');
  if (CURRENCIES[method]?.includes(currency) === false)
    refuse(422, 'The method does not take the currency.', 'method');
  if (NEEDS_LINES.has(method) && !given.lines?.length) refuse(422, 'The lines are missing.', 'lines');
  if (given.captureMode === 'manual' && !TAKES_CAPTURES.has(method))
    refuse(422, 'The method has no captures.', 'captureMode');
  if (given.cardToken !== undefined && !CARD_TOKENS.has(given.cardToken))
    refuse(422, 'The card token does not exist.', 'cardToken');
  if (given.cardToken !== undefined && method !== 'creditcard')
    refuse(422, 'Only cards have a card token.', 'cardToken');
}

const CARD_TOKENS: ReadonlySet<string> = new Set(['tkn_direct', 'tkn_authenticates']);

function refuseCustomer(world: MollieWorld, given: NewPayment, sequenceType: string): void {
  const { customerId, mandateId } = given;
  if (customerId === undefined) {
    if (sequenceType !== 'oneoff') refuse(422, 'The customer is missing.', 'customerId');
    return;
  }
  if (!world.customers.has(customerId)) refuse(422, 'The customer does not exist.', 'customerId');
  if (sequenceType !== 'recurring') return;
  if (given.redirectUrl !== undefined) refuse(422, 'Nobody is redirected.', 'redirectUrl');
  const mandate = world.mandates.get(mandateId ?? '');
  if (mandate?.customerId !== customerId || !mandate.isValid)
    refuse(422, 'The customer has no such valid mandate.', 'mandateId');
}

/** Changes the status of a payment, and owes the webhook. */
function turn(world: MollieWorld, payment: Payment, status: Payment['status']): void {
  payment.status = status;
  tell(world, payment);
}

export const tell = (world: MollieWorld, { id }: Payment): void => void world.owed.push({ id });

/** The payer pays. A payment with manual capture is authorised, and a card may fail by its amount. */
export function pay(world: MollieWorld, payment: Payment): void {
  if (payment.status !== 'open') return;
  const { amount, method } = payment;
  const reason = method === 'creditcard' ? magicOf(amount) : undefined;
  if (reason !== undefined) return fail(world, payment, reason);
  if (payment.sequenceType === 'first') payment.mandateId = storeMandate(world, payment);
  if (payment.captureMode === 'manual') {
    payment.authorizedAt = world.now();
    return turn(world, payment, 'authorized');
  }
  payment.paidAt = world.now();
  turn(world, payment, 'paid');
}

function storeMandate(world: MollieWorld, { customerId }: Payment): string {
  const id = world.newId('mdt');
  world.mandates.set(id, { id, customerId: customerId ?? '', isValid: true });
  return id;
}

export function fail(world: MollieWorld, payment: Payment, reason: string | null): void {
  payment.failureReason = reason;
  payment.failedAt = world.now();
  turn(world, payment, 'failed');
}

/** Ends an open payment, or an authorisation that nobody captured. */
export function expire(world: MollieWorld, payment: Payment): void {
  payment.expiredAt = world.now();
  turn(world, payment, 'expired');
}

/** Ends an open payment at the wish of the buyer or the merchant, or releases an authorisation. */
export function end(world: MollieWorld, payment: Payment): void {
  payment.canceledAt = world.now();
  turn(world, payment, 'canceled');
}

/** Mollie cancels open payments of some methods alone. */
export const isCancelable = ({ cancelable }: MollieWorld, { status, method }: Payment): boolean =>
  status === 'authorized' || (status === 'open' && cancelable.has(method ?? ''));

export function cancelPayment(world: MollieWorld, payment: Payment): void {
  if (!isCancelable(world, payment)) refuse(422, 'The payment cannot be canceled.');
  end(world, payment);
}

/** Takes the request to release an authorisation. The bank decides. */
export function release(world: MollieWorld, payment: Payment): void {
  if (payment.status !== 'authorized') refuse(422, 'The payment is not authorized.');
  if (world.bankIsSlow) return;
  if (payment.captures.length === 0) return end(world, payment);
  turn(world, payment, 'paid');
}

type NewPart = { readonly amount: Amount | null; readonly metadata: unknown; readonly key: string | null };

export function capturePayment(world: MollieWorld, payment: Payment, given: NewPart): Part {
  if (payment.status !== 'authorized') refuse(422, 'The payment is not authorized.');
  const left = payment.amount.minor - sumOf(payment.captures);
  const amount = given.amount ?? { ...payment.amount, minor: left };
  if (amount.currency !== payment.amount.currency)
    refuse(422, 'The currency is another one.', 'amount.currency');
  if (amount.minor > left) refuse(422, 'The amount is higher than what is left.', 'amount');
  return add(world, payment.captures, 'cpt', { ...given, amount });
}

export function refundPayment(
  world: MollieWorld,
  payment: Payment,
  given: NewPart & { amount: Amount },
): Part {
  if (payment.status !== 'paid') refuse(422, 'The payment is not paid.');
  const { amount } = given;
  if (amount.currency !== payment.amount.currency)
    refuse(422, 'The currency is another one.', 'amount.currency');
  const taken = payment.captureMode === 'manual' ? sumOf(payment.captures) : payment.amount.minor;
  if (amount.minor > taken - sumOf(payment.refunds))
    refuse(422, 'The amount is higher than what is left.', 'amount');
  const twin = payment.refunds.find(
    (each) =>
      each.amount.minor === amount.minor && world.now().getTime() - each.createdAt.getTime() < TWIN_MS,
  );
  if (twin?.key !== undefined && twin.key !== null && given.key !== null)
    refuse(409, 'An equal refund was made a moment ago.');
  return add(world, payment.refunds, 're', given);
}

/** The time in which Mollie takes an equal refund for a mistake. */
const TWIN_MS = 5_000;

function add(
  world: MollieWorld,
  parts: Part[],
  kind: string,
  { amount, metadata, key }: NewPart & { amount: Amount },
): Part {
  const status = kind === 're' ? 'queued' : 'pending';
  const made: Part = { id: world.newId(kind), amount, metadata, createdAt: world.now(), key, status };
  parts.push(made);
  return made;
}

/** Decides everything that waits: captures become money, and refunds leave. */
export function decideOpen(world: MollieWorld): void {
  for (const payment of world.payments.values()) {
    for (const capture of payment.captures) decideCapture(world, payment, capture);
    for (const refund of payment.refunds) decideRefund(world, payment, refund);
  }
}

function decideCapture(world: MollieWorld, payment: Payment, capture: Part): void {
  if (capture.status !== 'pending') return;
  const ending = world.nextEnds.shift();
  capture.status = ending ? 'failed' : 'succeeded';
  if (ending) return tell(world, payment);
  payment.paidAt = world.now();
  turn(world, payment, 'paid');
}

function decideRefund(world: MollieWorld, payment: Payment, refund: Part): void {
  if (refund.status !== 'queued') return;
  refund.status = world.nextEnds.shift() ?? 'refunded';
  tell(world, payment);
}
