import { listAt, textAt, valueAt, isTrueAt, type Values } from './form.ts';
import { METHOD_KINDS } from './method-kinds.ts';
import { refuse, refuseParameter } from './refusal.ts';
import { AMOUNT_MIN, type Method, type Payment } from './world.ts';

const AMOUNT_MAX = 99_999_999;

const CURRENCIES = new Set(Intl.supportedValuesOf('currency').map((each) => each.toLowerCase()));

/** The currencies whose last digits must be zero, because their units have fewer decimals. */
const ENDS_IN_ZEROS: Readonly<Record<string, number>> = {
  ...{ bhd: 10, jod: 10, kwd: 10, omr: 10, tnd: 10 },
  ...{ isk: 100, ugx: 100 },
};

/** Refuses a currency that Stripe does not have, or that is not in lower case. */
export function checkCurrency(currency: string): void {
  if (!CURRENCIES.has(currency)) refuseParameter(`Invalid currency: ${currency}`, 'currency');
}

/** Refuses an amount that Stripe does not charge. */
export function checkAmount(amount: number, currency: string, param = 'amount'): void {
  if (amount < 1)
    refuseParameter('This value must be greater than or equal to 1.', param, 'parameter_invalid_integer');
  if (amount > AMOUNT_MAX)
    refuseParameter(`Amount must be no more than ${AMOUNT_MAX}`, param, 'amount_too_large');
  if (amount < (AMOUNT_MIN[currency] ?? 1))
    refuseParameter(`Amount must be at least ${AMOUNT_MIN[currency] ?? 1}`, param, 'amount_too_small');
  if (amount % (ENDS_IN_ZEROS[currency] ?? 1) !== 0)
    refuseParameter(`Amounts in ${currency} must end in zeros.`, param, 'invalid_charge_amount');
}

/** Refuses statement texts that the schemes do not take. */
export function checkStatement(values: Values): void {
  for (const param of ['statement_descriptor', 'statement_descriptor_suffix']) {
    const text = textAt(values, param);
    if (text === null) continue;
    if (text.length > 22) refuseParameter('The statement descriptor must be at most 22 characters.', param);
    if (param === 'statement_descriptor' && text.length < 5)
      refuseParameter('The statement descriptor must be at least 5 characters.', param);
    if (!/[A-Za-z]/.test(text)) refuseParameter('The statement descriptor must contain a letter.', param);
    if (/[<>\\'"*]/.test(text) || /[^\x20-\x7e]/.test(text))
      refuseParameter('The statement descriptor contains a character that is not allowed.', param);
  }
}

/** The parameters that only a confirmation takes. */
const OF_CONFIRMATION = ['off_session', 'error_on_requires_action', 'mandate', 'mandate_data', 'return_url'];

/** Refuses parameters of a confirmation in a call that does not confirm. */
export function checkUnconfirmed(values: Values): void {
  for (const param of OF_CONFIRMATION)
    if (values[param] !== undefined)
      refuseParameter(`You can only use ${param} when confirm is true.`, param);
}

/** Refuses an address to return to that is no address. */
export function checkReturnUrl(values: Values): string | null {
  const text = textAt(values, 'return_url');
  if (text !== null && URL.parse(text) === null)
    refuseParameter('Not a valid URL', 'return_url', 'url_invalid');
  return text;
}

/** Refuses a payment method that cannot pay this payment now. */
export function checkMethod(
  payment: Payment,
  method: Method,
  values: Values,
  hasActiveMandate: boolean,
): void {
  const { wire } = payment;
  const { type, customer } = method.wire;
  const kind = METHOD_KINDS[type];
  const allowed = wire.allowed_payment_method_types;
  if (!kind || (allowed && !(allowed as readonly string[]).includes(type)))
    return refuseParameter(
      `The PaymentMethod provided (${type}) is not allowed for this PaymentIntent.`,
      'payment_method',
    );
  if (customer !== null && customer !== wire.customer)
    refuseParameter(
      'The PaymentMethod belongs to a Customer. Include that Customer in the `customer` parameter.',
      'payment_method',
    );
  if (customer === null && method.isSpent)
    refuseParameter(
      'The provided PaymentMethod was previously used without Customer attachment. It may not be used again.',
      'payment_method',
    );
  if (kind.currencies && !kind.currencies.includes(wire.currency))
    refuseParameter(
      `The currency ${wire.currency} is invalid for payment methods of type ${type}.`,
      'currency',
      'payment_method_currency_mismatch',
    );
  if (wire.capture_method === 'manual' && !kind.capturesLater)
    refuseParameter(`Payment methods of type ${type} do not support manual capture.`, 'capture_method');
  if (kind.needs.includes('shipping') && wire.shipping === null)
    refuseParameter('Missing required param: shipping.', 'shipping', 'parameter_missing');
  if (kind.option !== null && textAt(values, 'payment_method_options', type, kind.option) === null) {
    const missing = `payment_method_options[${type}][${kind.option}]`;
    refuseParameter(`Missing required param: ${missing}.`, missing, 'parameter_missing');
  }
  if (type === 'card' && wire.statement_descriptor !== null)
    refuseParameter(
      'For card charges use statement_descriptor_suffix instead of statement_descriptor.',
      'statement_descriptor',
    );
  if (kind.flow === 'debit' && !hasActiveMandate && valueAt(values, 'mandate_data') === undefined)
    refuse({
      ...{ status: 400, type: 'invalid_request_error', code: 'payment_intent_mandate_invalid' },
      ...{ param: 'mandate_data', message: 'The payment method needs a mandate, so give mandate_data.' },
    });
}

/** Refuses a confirmation without an address to return to, when the buyer may be redirected. */
export function checkRedirect(payment: Payment, method: Method, values: Values): void {
  const { wire, returnUrl, isOffSession, declinesActions } = payment;
  if (returnUrl !== null) return;
  const flow = METHOD_KINDS[method.wire.type]?.flow;
  if (flow === 'redirect')
    refuseParameter('Missing required param: return_url.', 'return_url', 'parameter_missing');
  const redirectsNever =
    textAt(values, 'automatic_payment_methods', 'allow_redirects') === 'never' ||
    wire.automatic_payment_methods?.allow_redirects === 'never';
  const isOpenToAll = wire.allowed_payment_method_types === null && !redirectsNever;
  if (isOpenToAll && !isOffSession && !declinesActions && !isTrueAt(values, 'use_stripe_sdk'))
    refuseParameter(
      'This PaymentIntent accepts payment methods that might redirect the customer, so you must provide a `return_url`.',
    );
}

/** Returns the types of payment methods that a call allows, or null for all. */
export function allowedTypes(values: Values): readonly string[] | null {
  const given = listAt(values, 'allowed_payment_method_types');
  for (const type of given ?? [])
    if (!METHOD_KINDS[type])
      refuseParameter(`The double knows no payment methods of type ${type}.`, 'allowed_payment_method_types');
  return given;
}
