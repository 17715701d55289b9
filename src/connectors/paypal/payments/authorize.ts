import { refusedBefore, type Outcome, type AuthorizeRequest, type ResumeRequest } from '../../door.ts';
import { amountToWire } from '../amount.ts';
import type { Order, PayPalError } from '../answers.ts';
import { hasIssue, issuesOf, mayHaveHappened, refusalOf } from '../errors.ts';
import type { Answer, Api } from '../exchange.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import { CANCELLED, orderToWire } from './order-wire.ts';
import { orderOutcome, pageOf, unapproved, UNREADABLE } from './payment-outcome.ts';
import { splitsToWire } from './splits-wire.ts';
import { completionOf, ORDERS, parseOrder, readOrder } from './read-order.ts';

/**
 * Begins a payment with an order. A stored method pays at once. Any other order waits for the buyer, and holds no money before
 * `resume` completes it.
 */
export async function authorize(api: Api, request: AuthorizeRequest): Promise<Outcome> {
  const { key, money, token } = request;
  const amount = amountToWire(money);
  if (amount === null) return refusedBefore(IMPOSSIBLE.amount);
  if (!isPayPal(request)) return refusedBefore(IMPOSSIBLE.means);
  if (token !== null && !TOKEN.test(token)) return refusedBefore(IMPOSSIBLE.token);
  const shares = splitsToWire(request);
  if (!shares.ok) return refusedBefore(shares.refusals[0]);
  const answer = await api.post(ORDERS, orderToWire(request, amount, shares.value), key);
  if (answer.kind === 'unknown') return answer.unknown;
  if (answer.kind === 'refused') return refusalOf(answer.error, null);
  const order = parseOrder(answer.body);
  if (!order) return UNREADABLE;
  if (order.status === 'APPROVED' && token !== null)
    return afterOrder(await complete(api, order.id, request));
  return begun(order, request);
}

/** The order has left, whatever became of its completion. */
const afterOrder = (outcome: Outcome): Outcome =>
  outcome.kind === 'unknown' ? { kind: 'unknown', cause: outcome.cause } : outcome;

/** The name of a stored method in PayPal's vault. */
const TOKEN = /^[0-9a-zA-Z_-]{1,255}$/;

const isPayPal = ({ card, wallet, networkToken, bank }: AuthorizeRequest): boolean =>
  card === null && wallet === null && networkToken === null && bank === null;

/** Returns the outcome of a new order. Without the buyer, nobody can approve it, and we never complete it. */
function begun(order: Order, { integrationClient, token, series }: AuthorizeRequest): Outcome {
  const isSession = integrationClient !== null && token === null;
  const outcome = orderOutcome(order, isSession ? 'session' : 'page');
  return outcome.kind === 'accepted' && outcome.approvalUrl !== undefined && series.merchantInitiated
    ? unapproved(order.id, 'requires_buyer_authentication', order.status, BUYER_NEEDED)
    : outcome;
}

const BUYER_NEEDED =
  'PayPal asks for an approval, and the merchant makes the payment without the buyer. Create a payment that the buyer approves.';

type Completion = { readonly key: string; readonly capture: boolean };

/**
 * Continues a payment whose buyer came back, or whose client has the buyer's approval. A declined source leaves the payment
 * `accepted` with the address of the approval. The buyer may choose another source there.
 */
export function resume(api: Api, request: ResumeRequest): Promise<Outcome> {
  return request.returned[CANCELLED] === undefined
    ? complete(api, request.reference, request, { choosesAgain: true })
    : afterCancel(api, request);
}

/**
 * Ends a payment whose buyer does not want to pay. Only an order that the buyer approved in another window is completed. So no
 * late request can complete the order after the end of the payment.
 */
async function afterCancel(api: Api, request: ResumeRequest): Promise<Outcome> {
  const { reference } = request;
  const read = await readOrder(api, reference);
  if ('unknown' in read) return { kind: 'unknown', cause: read.unknown.cause };
  return read.order && UNAPPROVED.has(read.order.status)
    ? unapproved(reference, 'cancelled_buyer_approval', read.order.status)
    : complete(api, reference, request);
}

/** The statuses of an order before the buyer's approval. */
const UNAPPROVED: ReadonlySet<string> = new Set(['CREATED', 'PAYER_ACTION_REQUIRED']);

/** Authorises or captures an approved order. Only a buyer who is there can choose another source after a decline. */
async function complete(
  api: Api,
  reference: string,
  completion: Completion,
  { choosesAgain = false }: { readonly choosesAgain?: boolean } = {},
): Promise<Outcome> {
  const [path, key] = completionOf(reference, completion);
  const answer = await api.post(path, {}, key);
  if (answer.kind === 'unknown') return answer.unknown;
  if (answer.kind === 'refused') {
    const { error } = answer;
    if (hasIssue(error, 'MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED')) return declinedForGood(error, reference);
    return choosesAgain && isOfSource(error)
      ? chooseAgain(api, reference, error)
      : refusedCompletion(api, reference, answer);
  }
  const order = parseOrder(answer.body);
  return order ? orderOutcome(order) : UNREADABLE;
}

async function refusedCompletion(
  api: Api,
  reference: string,
  { error }: Extract<Answer, { readonly kind: 'refused' }>,
): Promise<Outcome> {
  if (isUndecided(error)) {
    const page = pageOf(error);
    if (page !== null) return undecided(reference, page, error);
  } else if (!mayHaveHappened(error)) return refusalOf(error, reference);
  // Another request has completed the order, or the error names no page.
  const read = await readOrder(api, reference);
  if ('unknown' in read) return { kind: 'unknown', cause: read.unknown.cause };
  const outcome = read.order && orderOutcome(read.order);
  return outcome?.kind === 'accepted' && !isUndecided(error)
    ? { kind: 'unknown', cause: 'server_error' }
    : (outcome ?? UNREADABLE);
}

/**
 * Lets the buyer choose another source at the address of the approval. The order can still be completed once, under the key of its
 * completion. Without an address, the payment is declined.
 */
async function chooseAgain(api: Api, reference: string, error: PayPalError): Promise<Outcome> {
  let page = pageOf(error);
  if (page === null) {
    const read = await readOrder(api, reference);
    if ('unknown' in read) return { kind: 'unknown', cause: read.unknown.cause };
    page = read.order && pageOf(read.order);
  }
  return page === null ? refusalOf(error, reference) : undecided(reference, page, error);
}

/** Declines a payment whose buyer has tried as many sources as PayPal allows. */
const declinedForGood = (error: PayPalError, reference: string): Outcome => ({
  ...{ kind: 'declined', reference, errorCode: 'issuer_decline' },
  ...{ rawResponseCode: wordOf(error), rawResponseDescription: error.details[0]?.description ?? null },
});

const undecided = (reference: string, approvalUrl: string, error: PayPalError): Outcome => ({
  ...{ kind: 'accepted', reference, approvalUrl },
  ...{ rawResponseCode: wordOf(error), rawResponseDescription: null },
});

const wordOf = (error: PayPalError): string => issuesOf(error)[0] ?? error.name;

/** True if another source of the buyer may pay. */
const isOfSource = (error: PayPalError): boolean =>
  hasIssue(
    error,
    ...[
      'INSTRUMENT_DECLINED',
      'PAYMENT_SOURCE_DECLINED_BY_PROCESSOR',
      'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
    ],
  );

/** True while the buyer has not approved, or has to act once more. */
const isUndecided = (error: PayPalError): boolean =>
  hasIssue(error, 'ORDER_NOT_APPROVED', 'PAYER_ACTION_REQUIRED', 'ORDER_IS_PENDING_APPROVAL');
