import { refusedBefore, type Outcome, type CancelRequest, type FollowUpRequest } from '../../door.ts';
import { amountToWire } from '../amount.ts';
import { payment, paymentsOf, type Order } from '../answers.ts';
import { hasIssue, refusalOf } from '../errors.ts';
import type { Api } from '../exchange.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import { authorizationPath, latestAuthorization } from './capture.ts';
import { fenceToWire } from './order-wire.ts';
import { UNREADABLE } from './payment-outcome.ts';
import { completionOf, ORDERS, parseOrder, readSubject } from './read-order.ts';

type Released = Pick<FollowUpRequest, 'key' | 'money'>;

/** Releases the part of an authorisation that is not captured. */
export async function voidPayment(api: Api, request: FollowUpRequest): Promise<Outcome> {
  const read = await readSubject(api, request.reference);
  return 'unknown' in read ? read.unknown : voidOrder(api, read.order, request);
}

async function voidOrder(api: Api, order: Order, { key, money }: Released): Promise<Outcome> {
  const authorization = latestAuthorization(order);
  if (!authorization) return refusedBefore(IMPOSSIBLE.authorization);
  const answer = await api.post(`${authorizationPath(authorization.id)}/void`, {}, key);
  if (answer.kind === 'unknown') return answer.unknown;
  if (answer.kind === 'refused')
    return hasIssue(answer.error, 'PREVIOUSLY_VOIDED')
      ? released(order.id, money)
      : refusalOf(answer.error, order.id);
  // PayPal answers without a body, or with the authorisation.
  const made = answer.body === null ? null : payment.safeParse(answer.body);
  const isVoided = made === null || made.data?.status === 'VOIDED';
  return isVoided ? released(order.id, money) : UNREADABLE;
}

const released = (reference: string, money: FollowUpRequest['money']): Outcome => ({
  ...{ kind: 'succeeded', reference, money },
  ...{ rawResponseCode: null, rawResponseDescription: null },
});

/**
 * Ends a payment that is not authorised yet. An order that the buyer has not approved holds no money. Nobody completes the order any
 * more, unless a request to complete it is under way.
 *
 * Without the id of the order, an empty order takes the key of the authorisation. If the key has an order already, PayPal answers
 * with that order. A late request under the key then gets the empty order, which nobody approves. Both hold only while PayPal
 * keeps the key.
 */
export async function cancel(api: Api, request: CancelRequest): Promise<Outcome> {
  const { reference, authorizationKey, money } = request;
  if (reference !== null) {
    const read = await readSubject(api, reference);
    return 'unknown' in read ? read.unknown : cancelOrder(api, read.order, request);
  }
  const amount = amountToWire(money);
  if (amount === null) return refusedBefore(IMPOSSIBLE.amount);
  const answer = await api.post(ORDERS, fenceToWire(authorizationKey, amount), authorizationKey);
  if (answer.kind === 'unknown') return { kind: 'unknown', cause: answer.unknown.cause };
  const order = answer.kind === 'answered' ? parseOrder(answer.body) : null;
  return order && !mayBeSecond(order, request)
    ? cancelOrder(api, order, request)
    : { kind: 'unknown', cause: 'server_error' };
}

/** The time for which PayPal surely keeps the request id of an order. */
const KEPT_MS = 5 * 3_600_000;

/** True if PayPal may have forgotten an earlier order of the key. This order then says nothing about the payment. */
const mayBeSecond = ({ create_time: createdAt }: Order, request: CancelRequest): boolean =>
  createdAt === null || createdAt.getTime() > request.createdAt.getTime() + KEPT_MS;

async function cancelOrder(api: Api, order: Order, request: CancelRequest): Promise<Outcome> {
  if (order.status === 'APPROVED' || (request.resuming && OPEN.has(order.status)))
    return cancelOpen(api, order, request);
  if (order.status !== 'COMPLETED')
    return INCOMPLETE.has(order.status) ? released(order.id, request.money) : UNREADABLE;
  // A capture is no authorisation to release. Only a refund gives its money back.
  return order.intent === 'AUTHORIZE' ? voidOrder(api, order, request) : refusedBefore(IMPOSSIBLE.captured);
}

/**
 * Ends an order that the buyer has approved, or may still approve. A request that completes the order may be under way.
 *
 * - An authorisation is completed here, under the key of that request, and released. A late request then changes nothing. Before
 *   the approval, the cancel stays unknown.
 * - A sale cannot be released, so its cancel stays unknown. PayPal ends the order after three hours, before the cancel's last repeat.
 */
async function cancelOpen(api: Api, order: Order, request: CancelRequest): Promise<Outcome> {
  if (order.intent !== 'AUTHORIZE') return MAY_BE_COMPLETED;
  const [path, key] = completionOf(order.id, { key: request.authorizationKey, capture: false });
  const answer = await api.post(path, {}, key);
  if (answer.kind === 'unknown') return { kind: 'unknown', cause: answer.unknown.cause };
  if (answer.kind === 'refused')
    return hasIssue(answer.error, 'ORDER_EXPIRED') ? released(order.id, request.money) : MAY_BE_COMPLETED;
  const completed = parseOrder(answer.body);
  return completed?.status === 'COMPLETED' ? voidOrder(api, completed, request) : UNREADABLE;
}

// Not `arrived`: a look-up would find the order approved, and take it for one that nobody completes any more.
const MAY_BE_COMPLETED: Outcome = { kind: 'unknown', cause: 'server_error' };

/** The statuses of an order that holds no money, and that a buyer may approve or has approved. */
const OPEN: ReadonlySet<string> = new Set(['CREATED', 'SAVED', 'APPROVED', 'PAYER_ACTION_REQUIRED']);

/** The statuses of an order that holds no money. */
const INCOMPLETE: ReadonlySet<string> = new Set([...OPEN, 'VOIDED']);

/** Returns the outcome of a void by the order. Null while something is held. */
export function voidOfOrder(order: Order, money: FollowUpRequest['money']): Outcome | null {
  const { authorizations } = paymentsOf(order);
  const isReleased = authorizations.length > 0 && authorizations.every(({ status }) => status === 'VOIDED');
  return isReleased ? released(order.id, money) : null;
}

/** Returns the outcome of a cancel by the order. An incomplete order holds nothing. An approved one has ended by then. */
export const cancelOfOrder = (order: Order, money: FollowUpRequest['money']): Outcome | null =>
  INCOMPLETE.has(order.status) ? released(order.id, money) : voidOfOrder(order, money);
