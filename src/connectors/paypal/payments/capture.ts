import { refusedBefore, type Outcome, type CaptureRequest, type FollowUpRequest } from '../../door.ts';
import { amountToWire, type PayPalMoney } from '../amount.ts';
import { payment, paymentsOf, type Order, type Payment } from '../answers.ts';
import { refusalOf } from '../errors.ts';
import type { Api } from '../exchange.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import { nameOf, readName } from '../names.ts';
import type { PayPalCapture, PayPalReauthorization } from '../request-shapes.ts';
import { authorizationOutcome, captureOutcome, ENDED, UNREADABLE } from './payment-outcome.ts';
import { readSubject } from './read-order.ts';
import { feeToWire } from './splits-wire.ts';

export const authorizationPath = (id: string): string =>
  `/v2/payments/authorizations/${encodeURIComponent(id)}`;

/**
 * Captures a part or all of an authorisation. The order names the authorisation, and its captures. So a capture of this key is
 * found there, even after PayPal has forgotten the key.
 */
export async function capture(api: Api, request: CaptureRequest): Promise<Outcome> {
  const { key, money, reference } = request;
  const amount = amountToWire(money);
  if (amount === null) return refusedBefore(IMPOSSIBLE.amount);
  const fee = feeToWire(request.splits, money.currency);
  if (!fee.ok) return refusedBefore(fee.refusals[0]);
  const read = await readSubject(api, reference);
  if ('unknown' in read) return read.unknown;
  const earlier = findCapture(read.order, key);
  if (earlier) return captureOutcome(earlier);
  const authorization = latestAuthorization(read.order);
  if (!authorization) return refusedBefore(IMPOSSIBLE.authorization);
  const path = `${authorizationPath(authorization.id)}/capture`;
  const body = { ...captureToWire(request, amount), ...fee.value };
  const answer = await api.post(path, body, key);
  if (answer.kind === 'unknown') return answer.unknown;
  if (answer.kind === 'refused') return refusalOf(answer.error, null);
  const made = payment.safeParse(answer.body).data;
  return made ? captureOutcome(made) : UNREADABLE;
}

/** Maps our capture. After the last one, PayPal releases the rest. */
const captureToWire = (
  { key, final }: Pick<CaptureRequest, 'key' | 'final'>,
  amount: PayPalMoney,
): PayPalCapture => ({
  ...{ amount, final_capture: final, invoice_id: nameOf({ key, part: 1, parts: 1 }) },
});

/** Finds the capture of our key in an order. */
export const findCapture = (order: Order, key: string): Payment | undefined =>
  paymentsOf(order).captures.find(({ invoice_id: name }) => readName(name)?.key === key);

/** Returns the authorisation that can be captured. A renewal takes the place of the first one. */
export function latestAuthorization(order: Order): Payment | undefined {
  const { authorizations } = paymentsOf(order);
  return authorizations.findLast(({ status }) => !ENDED.has(status)) ?? authorizations.at(-1);
}

/**
 * Renews an authorisation, which PayPal does once, from its fourth day. The order keeps its id, and gets a second authorisation.
 * The first one is always the one to renew, so that a repeat is the same request.
 */
export async function reauthorize(api: Api, { key, money, reference }: FollowUpRequest): Promise<Outcome> {
  const amount = amountToWire(money);
  if (amount === null) return refusedBefore(IMPOSSIBLE.amount);
  const read = await readSubject(api, reference);
  if ('unknown' in read) return read.unknown;
  const [first] = paymentsOf(read.order).authorizations;
  if (!first) return refusedBefore(IMPOSSIBLE.authorization);
  const body: PayPalReauthorization = { amount };
  const answer = await api.post(`${authorizationPath(first.id)}/reauthorize`, body, key);
  if (answer.kind === 'unknown') return answer.unknown;
  if (answer.kind === 'refused') return refusalOf(answer.error, null);
  const renewed = payment.safeParse(answer.body).data;
  return renewed ? authorizationOutcome(renewed, reference) : UNREADABLE;
}
