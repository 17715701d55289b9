import { later } from '../kit/agenda.ts';
import type { Json } from './json.ts';
import { refuseIssue, refuseMissing } from './refusal.ts';
import { checkCapturedFee, feeOfUnit, keepFee, takeFeeBack } from './split-rules.ts';
import { authorizationView, captureView, orderView, refundView, tokenView } from './views.ts';
import {
  DAY_MS,
  emit,
  feeOf,
  readAmount,
  takeInvoice,
  textAt,
  wireAt,
  type Amount,
  type Authorization,
  type Capture,
  type Entry,
  type NextStatus,
  type Order,
  type PayPalWorld,
  type Refund,
} from './world.ts';

/** The time for which an authorisation can be captured. */
const AUTHORIZATION_MS = 29 * DAY_MS;

/** The time from which an authorisation can be renewed. */
const RENEWABLE_FROM_MS = 3 * DAY_MS;

const REFUNDABLE_MS = 180 * DAY_MS;

// The event codes of the transaction search.
const [PAYMENT_CODE, REFUND_CODE, REVERSAL_CODE, AUTHORIZATION_CODE] = ['T0006', 'T1107', 'T1106', 'T1300'];

/** Pays an approved order. Completes the order, also when its capture still waits. */
export function completeOrder(world: PayPalWorld, order: Order, requestId: string | null): void {
  const { unit, amount } = order;
  const customId = textAt(unit, 'custom_id');
  const invoiceId = textAt(unit, 'invoice_id');
  takeInvoice(world, invoiceId);
  const names = { orderId: order.id, requestId, customId, invoiceId };
  const next = world.nextStatuses.shift();
  order.status = 'COMPLETED';
  order.updatedAt = world.now();
  if (order.intent === 'AUTHORIZE') authorize(world, { ...names, amount, next, isRenewal: false });
  else {
    const made = capture(world, { ...names, amount, next, authorizationId: null, isFinal: true });
    keepFee(made, feeOfUnit(unit, amount));
    emit(world, 'CHECKOUT.ORDER.COMPLETED', 'checkout-order', orderView(world, order));
  }
  if (order.storesMethod && !next) store(world, order);
}

/** Stores the payment method of an order, at once or later. */
function store(world: PayPalWorld, order: Order): void {
  const keep = (): void => {
    if (!order.payer || !order.source) return;
    const id = world.newId().toLowerCase();
    const customerId =
      textAt(order.sourceRequest, 'attributes', 'customer', 'id') ?? `customer${order.payer.id}`;
    const token = { id, customerId, source: order.source, payer: order.payer, orderId: order.id };
    world.tokens.set(id, token);
    order.token = token;
    emit(
      world,
      'VAULT.PAYMENT-TOKEN.CREATED',
      'payment_token',
      { ...tokenView(world, token), metadata: { order_id: order.id } },
      '3.0',
    );
  };
  if (world.settings.vaultLagMs === 0) keep();
  else later(world, world.settings.vaultLagMs, keep);
}

type Names = Pick<Capture, 'orderId' | 'requestId' | 'customId' | 'invoiceId'>;

type Asked = Names & { readonly amount: Amount; readonly next: NextStatus | undefined };

function authorize(
  world: PayPalWorld,
  { amount, next, isRenewal, ...names }: Asked & { readonly isRenewal: boolean },
): Authorization {
  const now = world.now();
  const authorization: Authorization = {
    ...{ ...names, id: world.newId(), amount, createdAt: now, updatedAt: now, isExpired: false, isRenewal },
    status: next ? (next.status === 'PENDING' ? 'PENDING' : 'DENIED') : 'CREATED',
    reason: next?.reason ?? null,
    renewableFrom: new Date(now.getTime() + RENEWABLE_FROM_MS),
    expiresAt: new Date(now.getTime() + AUTHORIZATION_MS),
  };
  world.authorizations.set(authorization.id, authorization);
  const isDenied = authorization.status === 'DENIED';
  enter(world, {
    ...{ ...authorization, code: AUTHORIZATION_CODE, gross: amount.minor, fee: 0 },
    ...{ referenceId: names.orderId, referenceType: 'ODR', status: isDenied ? 'D' : 'P' },
  });
  if (isDenied) emitAuthorization(world, 'DENIED', authorization);
  else {
    emitAuthorization(world, authorization.status === 'PENDING' ? 'PENDING' : 'CREATED', authorization);
    later(world, AUTHORIZATION_MS, () => expire(world, authorization));
  }
  return authorization;
}

const emitAuthorization = (world: PayPalWorld, word: string, authorization: Authorization): void =>
  emit(world, `PAYMENT.AUTHORIZATION.${word}`, 'authorization', authorizationView(world, authorization));

/** Lets an authorisation lapse. PayPal reports the end like a void. */
export function expire(world: PayPalWorld, authorization: Authorization): void {
  if (!['CREATED', 'PARTIALLY_CAPTURED', 'PENDING'].includes(authorization.status)) return;
  authorization.status = 'VOIDED';
  authorization.isExpired = true;
  authorization.updatedAt = world.now();
  emitAuthorization(world, 'VOIDED', authorization);
}

/** Decides about a pending authorisation. */
export function decideAuthorization(
  world: PayPalWorld,
  authorization: Authorization,
  decision: 'complete' | 'deny',
): void {
  if (authorization.status !== 'PENDING') throw new Error(`The authorisation is ${authorization.status}.`);
  authorization.status = decision === 'complete' ? 'CREATED' : 'DENIED';
  authorization.reason = null;
  authorization.updatedAt = world.now();
  emitAuthorization(world, authorization.status, authorization);
}

export const findAuthorization = (world: PayPalWorld, id: string): Authorization =>
  world.authorizations.get(id) ?? refuseMissing();

const capturesOf = (world: PayPalWorld, id: string): readonly Capture[] =>
  [...world.captures.values()].filter(({ authorizationId }) => authorizationId === id);

/** Returns the amount of an authorisation that its captures use. */
export const usedOf = (world: PayPalWorld, { id }: Authorization): number =>
  capturesOf(world, id)
    .filter(({ status }) => status !== 'DECLINED' && status !== 'FAILED')
    .reduce((sum, { amount }) => sum + amount.minor, 0);

/** Captures an authorisation, at most its amount in all. */
export function captureAuthorization(
  world: PayPalWorld,
  authorization: Authorization,
  body: Json,
  requestId: string | null,
): Capture {
  refuseEnded(authorization);
  if (authorization.status === 'CAPTURED') refuseIssue('AUTHORIZATION_ALREADY_CAPTURED');
  if (authorization.status === 'PENDING') refuseIssue('AUTHORIZATION_DENIED');
  const rest = authorization.amount.minor - usedOf(world, authorization);
  const asked = wireAt(body, 'amount');
  const amount =
    asked === null ? { currency: authorization.amount.currency, minor: rest } : readAmount(asked, '/amount');
  if (amount.currency !== authorization.amount.currency)
    refuseIssue('AUTH_CAPTURE_CURRENCY_MISMATCH', '/amount/currency_code');
  if (amount.minor > rest) refuseIssue('MAX_CAPTURE_AMOUNT_EXCEEDED', '/amount/value');
  const fee = checkCapturedFee(body, world.orders.get(authorization.orderId)?.unit ?? null, amount);
  const invoiceId = textAt(body, 'invoice_id');
  takeInvoice(world, invoiceId);
  const next = world.nextStatuses.shift();
  const isFinal = wireAt(body, 'final_capture') === true;
  const { orderId, customId } = authorization;
  const captured = capture(world, {
    ...{ orderId, requestId, customId, invoiceId: invoiceId ?? authorization.invoiceId },
    ...{ amount, next, authorizationId: authorization.id, isFinal },
  });
  keepFee(captured, fee);
  if (captured.status === 'DECLINED' || captured.status === 'FAILED') return captured;
  authorization.status = isFinal || amount.minor === rest ? 'CAPTURED' : 'PARTIALLY_CAPTURED';
  authorization.updatedAt = world.now();
  return captured;
}

function refuseEnded({ status, isExpired }: Authorization): void {
  if (isExpired) refuseIssue('AUTHORIZATION_EXPIRED');
  if (status === 'VOIDED') refuseIssue('AUTHORIZATION_VOIDED');
  if (status === 'DENIED') refuseIssue('AUTHORIZATION_DENIED');
}

function capture(
  world: PayPalWorld,
  { amount, next, authorizationId, isFinal, ...names }: Asked & Pick<Capture, 'authorizationId' | 'isFinal'>,
): Capture {
  const now = world.now();
  const made: Capture = {
    ...{ ...names, id: world.newId(), authorizationId, amount, isFinal, createdAt: now, updatedAt: now },
    status: next ? (next.status === 'DENIED' ? 'DECLINED' : next.status) : 'COMPLETED',
    ...{ reason: next?.reason ?? null, isReversed: false },
  };
  world.captures.set(made.id, made);
  const isOpen = made.status === 'COMPLETED' || made.status === 'PENDING';
  enter(world, {
    ...{ ...made, code: PAYMENT_CODE, gross: amount.minor, fee: -feeOf(amount.minor) },
    ...{ referenceId: names.orderId, referenceType: 'ODR' },
    status: !isOpen ? 'D' : made.status === 'PENDING' ? 'P' : 'S',
  });
  // PayPal has no event for a capture that failed at once.
  if (made.status !== 'FAILED') emitCapture(world, made.status, made);
  return made;
}

const emitCapture = (world: PayPalWorld, word: string, made: Capture): void =>
  emit(world, `PAYMENT.CAPTURE.${word}`, 'capture', captureView(world, made));

export const findCapture = (world: PayPalWorld, id: string): Capture =>
  world.captures.get(id) ?? refuseMissing();

/** Decides about a pending capture. A denied one frees nothing that a buyer could pay again with. */
export function decideCapture(world: PayPalWorld, made: Capture, decision: 'complete' | 'deny'): void {
  if (made.status !== 'PENDING') throw new Error(`The capture is ${made.status}.`);
  made.status = decision === 'complete' ? 'COMPLETED' : 'DECLINED';
  made.reason = null;
  made.updatedAt = world.now();
  mark(world, made.id, decision === 'complete' ? 'S' : 'D');
  emitCapture(world, decision === 'complete' ? 'COMPLETED' : 'DENIED', made);
}

/** Takes the money of a capture back from the merchant, such as after a return by the buyer's bank. */
export function reverseCapture(world: PayPalWorld, made: Capture): Refund {
  if (made.isReversed) throw new Error('The capture is reversed already.');
  made.isReversed = true;
  made.updatedAt = world.now();
  const left = made.amount.minor - refundedOf(world, made);
  const { orderId, customId, invoiceId } = made;
  const reversal = addRefund(world, made, {
    ...{ orderId, requestId: null, customId, invoiceId, note: null, isReversal: true },
    ...{ amount: { currency: made.amount.currency, minor: left }, next: undefined },
  });
  mark(world, made.id, 'V');
  emit(world, 'PAYMENT.CAPTURE.REVERSED', 'refund', refundView(world, reversal));
  return reversal;
}

/** Ends an authorisation that is not captured in full. */
export function voidAuthorization(world: PayPalWorld, authorization: Authorization): void {
  if (authorization.status === 'VOIDED') refuseIssue('PREVIOUSLY_VOIDED');
  if (authorization.status === 'CAPTURED') refuseIssue('PREVIOUSLY_CAPTURED');
  if (authorization.status === 'DENIED') refuseIssue('CANNOT_BE_VOIDED');
  authorization.status = 'VOIDED';
  authorization.updatedAt = world.now();
  emitAuthorization(world, 'VOIDED', authorization);
}

/** Renews an authorisation once, from its fourth day. The new authorisation takes the place of the old one. */
export function reauthorize(
  world: PayPalWorld,
  old: Authorization,
  body: Json,
  requestId: string | null,
): Authorization {
  refuseEnded(old);
  if (old.status === 'CAPTURED' || old.status === 'PARTIALLY_CAPTURED')
    refuseIssue('AUTHORIZATION_ALREADY_CAPTURED');
  if (world.now() < old.renewableFrom || old.isRenewal || old.status !== 'CREATED')
    refuseIssue('REAUTHORIZATION_NOT_SUPPORTED');
  const asked = wireAt(body, 'amount');
  const amount = asked === null ? old.amount : readAmount(asked, '/amount');
  if (amount.currency !== old.amount.currency) refuseIssue('AUTH_CURRENCY_MISMATCH', '/amount/currency_code');
  // PayPal renews up to 115 percent of the amount.
  if (amount.minor * 100 > old.amount.minor * 115) refuseIssue('TRANSACTION_REFUSED', '/amount/value');
  const { orderId, customId, invoiceId } = old;
  const next = world.nextStatuses.shift();
  const renewed = authorize(world, {
    orderId,
    requestId,
    customId,
    invoiceId,
    amount,
    next,
    isRenewal: true,
  });
  if (renewed.status === 'DENIED') return renewed;
  old.status = 'VOIDED';
  old.updatedAt = world.now();
  return renewed;
}

/** Returns the refunded amount of a capture. A failed refund gives its part back. */
export const refundedOf = (world: PayPalWorld, { id }: Capture): number =>
  [...world.refunds.values()]
    .filter(({ captureId, status, isReversal }) => captureId === id && status !== 'FAILED' && !isReversal)
    .reduce((sum, { amount }) => sum + amount.minor, 0);

/** Refunds a capture, at most its rest. An empty body refunds the whole rest. */
export function refundCapture(
  world: PayPalWorld,
  made: Capture,
  body: Json,
  requestId: string | null,
): Refund {
  if (made.status === 'PENDING') refuseIssue('PENDING_CAPTURE');
  if (made.status === 'DECLINED' || made.status === 'FAILED') refuseIssue('REFUND_NOT_ALLOWED');
  if (made.isReversed) refuseIssue('REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK');
  const disputes = [...world.disputes.values()].filter(({ captureId }) => captureId === made.id);
  if (disputes.some(({ status }) => status !== 'RESOLVED')) refuseIssue('TRANSACTION_DISPUTED');
  if (world.now().getTime() > made.createdAt.getTime() + REFUNDABLE_MS)
    refuseIssue('REFUND_TIME_LIMIT_EXCEEDED');
  const left = made.amount.minor - refundedOf(world, made);
  if (left === 0) refuseIssue('CAPTURE_FULLY_REFUNDED');
  const asked = wireAt(body, 'amount');
  const amount =
    asked === null ? { currency: made.amount.currency, minor: left } : readAmount(asked, '/amount');
  if (amount.currency !== made.amount.currency)
    refuseIssue('REFUND_CAPTURE_CURRENCY_MISMATCH', '/amount/currency_code');
  if (amount.minor > left) refuseIssue('REFUND_AMOUNT_EXCEEDED', '/amount/value');
  takeFeeBack(made, body, amount);
  const invoiceId = textAt(body, 'invoice_id');
  takeInvoice(world, invoiceId);
  const refund = addRefund(world, made, {
    ...{ orderId: made.orderId, requestId, invoiceId: invoiceId ?? made.invoiceId, isReversal: false },
    ...{ customId: textAt(body, 'custom_id') ?? made.customId, note: textAt(body, 'note_to_payer') },
    ...{ amount, next: world.nextStatuses.shift() },
  });
  showRefunds(world, made);
  const events = { COMPLETED: 'CAPTURE.REFUNDED', PENDING: 'REFUND.PENDING', FAILED: 'REFUND.FAILED' };
  if (refund.status !== 'CANCELLED')
    emit(world, `PAYMENT.${events[refund.status]}`, 'refund', refundView(world, refund));
  return refund;
}

function addRefund(
  world: PayPalWorld,
  made: Capture,
  { amount, next, note, isReversal, ...names }: Asked & Pick<Refund, 'note' | 'isReversal'>,
): Refund {
  const now = world.now();
  const refund: Refund = {
    ...{ ...names, id: world.newId(), captureId: made.id, amount, note, isReversal },
    ...{ createdAt: now, updatedAt: now, reason: next?.reason ?? null },
    status: next ? (next.status === 'PENDING' ? 'PENDING' : 'FAILED') : 'COMPLETED',
  };
  world.refunds.set(refund.id, refund);
  enter(world, {
    ...{ ...refund, code: isReversal ? REVERSAL_CODE : REFUND_CODE, gross: -amount.minor, fee: 0 },
    ...{ referenceId: made.id, referenceType: 'TXN' },
    status: refund.status === 'COMPLETED' ? 'S' : refund.status === 'PENDING' ? 'P' : 'D',
  });
  return refund;
}

function showRefunds(world: PayPalWorld, made: Capture): void {
  const refunded = refundedOf(world, made);
  made.status =
    refunded === 0 ? 'COMPLETED' : refunded < made.amount.minor ? 'PARTIALLY_REFUNDED' : 'REFUNDED';
  made.updatedAt = world.now();
}

export const findRefund = (world: PayPalWorld, id: string): Refund =>
  world.refunds.get(id) ?? refuseMissing();

/** Decides about a refund that is pending. A completed refund can fail later, too. */
export function decideRefund(world: PayPalWorld, refund: Refund, decision: 'complete' | 'fail'): void {
  const isPossible = refund.status === 'PENDING' || (refund.status === 'COMPLETED' && decision === 'fail');
  if (!isPossible) throw new Error(`The refund is ${refund.status}.`);
  refund.status = decision === 'complete' ? 'COMPLETED' : 'FAILED';
  refund.reason = null;
  refund.updatedAt = world.now();
  mark(world, refund.id, decision === 'complete' ? 'S' : 'V');
  showRefunds(world, findCapture(world, refund.captureId));
  const event = decision === 'complete' ? 'PAYMENT.CAPTURE.REFUNDED' : 'PAYMENT.REFUND.FAILED';
  emit(world, event, 'refund', refundView(world, refund));
}

/** Enters a movement in the transaction search. */
export function enter(
  world: PayPalWorld,
  entry: Pick<
    Entry,
    'id' | 'referenceId' | 'referenceType' | 'code' | 'gross' | 'fee' | 'status' | 'customId' | 'invoiceId'
  > & { readonly amount: Amount },
): void {
  const { id, referenceId, referenceType, code, gross, fee, status, customId, invoiceId, amount } = entry;
  world.entries.push({
    ...{ id, referenceId, referenceType, code, gross, fee, status, customId, invoiceId },
    ...{ at: world.now(), currency: amount.currency },
  });
}

function mark(world: PayPalWorld, id: string, status: Entry['status']): void {
  const entry = world.entries.find((each) => each.id === id);
  if (entry) entry.status = status;
}
