import { later } from '../kit/agenda.ts';
import { change } from './changes.ts';
import { refuse, refuseInvalid } from './refusal.ts';
import type { PaymentBody } from './shapes.ts';
import { paymentData } from './views.ts';
import { emit, MINUTE_MS, takeCode, type Payment, type Source, type World } from './world.ts';

/** The currencies of the account, with the multiple that their amounts must be. */
const STEPS: Readonly<Record<string, number>> = {
  ...{ AUD: 1, CAD: 1, CHF: 1, CZK: 1, DKK: 1, EUR: 1, GBP: 1, HUF: 1, ILS: 1, JPY: 1, NOK: 1, PLN: 1 },
  ...{ SEK: 1, USD: 1, ZAR: 1, TWD: 1, BHD: 10, JOD: 10, KWD: 10, OMR: 10, TND: 10, CLP: 100 },
};

/** The codes by the last digits of a card number. */
const CODES: Readonly<Record<string, string>> = {
  ...{ '0002': '20005', '9995': '20051', '0069': '20054', '0259': '20059' },
};

/** The approval of a part, which is a half here. */
const PARTIAL = '10010';

/** A card that takes part in 3-D Secure, and whose issuer wants an authentication. */
const ASKS = '3220';

/** The page for 3-D Secure ends after this time. */
export const PAGE_MS = 15 * MINUTE_MS;

/** Makes a payment. Its buyer may have to go to the page first. */
export function createPayment(world: World, body: PaymentBody, key: string | null): Payment {
  const { amount = 0, currency, processing_channel_id: channel } = body;
  const step = STEPS[currency];
  if (step === undefined) refuseInvalid('currency_invalid');
  if (amount % (step ?? 1) !== 0) refuseInvalid('amount_invalid');
  if (channel === undefined) refuseInvalid('processing_channel_id_required');
  if (channel !== world.settings.channel) refuseInvalid('processing_channel_id_invalid');
  checkSeries(world, body);
  const source = takeSource(world, body);
  const payment: Payment = {
    ...{ id: world.id('pay'), sessionId: world.id('sid'), key, body, amount, currency, source },
    ...{ reference: body.reference ?? null, metadata: body.metadata ?? {}, requestedAt: world.now() },
    ...{ schemeId: String(world.payments.size + 1).padStart(15, '6'), authCode: '858188' },
    ...{ actions: [], isWaiting: asksBuyer(body, source), end: null, isLapsed: false },
  };
  world.payments.set(payment.id, payment);
  if (payment.isWaiting) {
    emit(world, 'payment_pending', paymentData(world, payment));
    later(world, PAGE_MS, () => leave(world, payment));
  } else decide(world, payment, codeOf(world, payment));
  return payment;
}

/** A payment of a series names an earlier one: a payment of the account, or the scheme's id. */
function checkSeries({ payments }: World, body: PaymentBody): void {
  const { previous_payment_id: previous, merchant_initiated: isAbsent } = body;
  if (previous?.startsWith('pay_') && !payments.has(previous)) refuseInvalid('previous_payment_id_invalid');
  if (isAbsent && body['3ds']?.enabled && body['3ds'].cryptogram === undefined)
    refuseInvalid('3ds_enabled_invalid');
}

/**
 * True if the buyer has to go to the page. An authentication from outside needs none. With `attempt_n3d`, a card that takes no part in
 * 3-D Secure pays without it.
 */
const asksBuyer = ({ '3ds': asked }: PaymentBody, { number }: Source): boolean =>
  asked?.enabled === true &&
  asked.cryptogram === undefined &&
  (asked.attempt_n3d !== true || number.endsWith(ASKS));

function takeSource(world: World, { source }: PaymentBody): Source {
  if (source.type === 'id') return world.sources.get(source.id) ?? refuseInvalid('source_id_invalid');
  if (source.type === 'token') {
    const token = world.tokens.get(source.token) ?? refuseInvalid('token_invalid');
    if (token.isUsed) refuseInvalid('token_used');
    if (world.now().getTime() >= token.untilMs) refuseInvalid('token_expired');
    token.isUsed = true;
    return token.source;
  }
  if (!passesLuhn(source.number)) refuseInvalid('card_number_invalid');
  const end = Date.UTC(source.expiry_year, source.expiry_month);
  if (end <= world.now().getTime()) refuseInvalid('card_expired');
  const { number, expiry_month: month, expiry_year: year, name = null } = source;
  const known = [...world.sources.values()].find((one) => one.number === number && one.month === month);
  return known ?? keepSource(world, { number, month, year, name });
}

export function keepSource(world: World, given: Omit<Source, 'id'>): Source {
  const source = { id: world.id('src'), ...given };
  world.sources.set(source.id, source);
  return source;
}

function passesLuhn(number: string): boolean {
  const sum = Array.from(number)
    .toReversed()
    .map(Number)
    .reduce((total, digit, place) => {
      const doubled = digit * (1 + (place % 2));
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
  return sum % 10 === 0;
}

/** Returns the code of the issuer's decision. */
function codeOf(world: World, { source, body }: Payment): string {
  const ordered = takeCode(world, 'Authorization');
  if (ordered !== null) return ordered;
  const ending = source.number.slice(-4);
  const isAuthenticated = body['3ds']?.enabled === true || body.merchant_initiated === true;
  if (ending === ASKS && !isAuthenticated) return '20154';
  return CODES[ending] ?? '10000';
}

/** Lets the issuer decide. A sale that is approved is captured a moment later. */
function decide(world: World, payment: Payment, code: string): void {
  const { amount, body, reference, metadata } = payment;
  const approved = code.startsWith('10');
  const decided = code === PARTIAL ? Math.ceil(amount / 2) : amount;
  payment.isWaiting = false;
  payment.end = approved ? null : 'Declined';
  payment.actions.push({
    ...{ id: world.id('act'), type: amount === 0 ? 'Card Verification' : 'Authorization', at: world.now() },
    ...{ amount: decided, isFinal: false, approved, code, key: payment.key, reference, metadata },
  });
  const events =
    amount === 0 ? ['card_verified', 'card_verification_declined'] : ['payment_approved', 'payment_declined'];
  emit(world, events[approved ? 0 : 1] ?? '', paymentData(world, payment));
  if (!approved || amount === 0 || body.capture === false) return;
  const captured = { type: 'Capture', amount: decided, isFinal: true } as const;
  change(world, payment, { ...captured, key: null, names: payment });
}

/** Ends the visit of a buyer who did not finish in time. */
function leave(world: World, payment: Payment): void {
  if (payment.isWaiting) decide(world, payment, '20152');
}

/** Lets the buyer decide at the page. Returns the address to which the page sends the buyer, or null without one. */
export function decideBuyer(world: World, payment: Payment, decision: 'approve' | 'refuse'): string | null {
  const { success_url: success, failure_url: failure } = payment.body;
  if (payment.isWaiting && decision === 'approve') decide(world, payment, codeOf(world, payment));
  else if (payment.isWaiting) {
    payment.isWaiting = false;
    payment.end = 'Declined';
    emit(world, 'payment_declined', paymentData(world, payment));
  }
  const address = payment.end === null ? success : failure;
  if (address === undefined) return null;
  const url = new URL(address);
  url.searchParams.set('cko-session-id', payment.sessionId);
  return url.href;
}

/** Finds a payment by its id, or by that of its session. */
export function findPayment({ payments }: World, id: string): Payment {
  const found = payments.get(id) ?? [...payments.values()].find(({ sessionId }) => sessionId === id);
  return found ?? refuse(404);
}

/** Lets an authorisation lapse. */
export function expire(world: World, payment: Payment): void {
  if (payment.isWaiting || payment.end !== null || payment.isLapsed) return;
  payment.isLapsed = true;
  const { id, amount, currency, reference, metadata } = payment;
  const { tellsApproval, channel: processing_channel_id } = world.settings;
  const data = tellsApproval
    ? paymentData(world, payment)
    : { id, amount, currency, reference, metadata, processing_channel_id };
  emit(world, 'payment_expired', data);
}
