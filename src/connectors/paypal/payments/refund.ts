import {
  ok,
  refuse,
  refusedBefore,
  type Impossible,
  type Money,
  type Outcome,
  type RefundRequest,
  type RefundedCapture,
  type Result,
} from '../../door.ts';
import { amountToWire, type PayPalMoney } from '../amount.ts';
import { payment, paymentsOf, type Order } from '../answers.ts';
import { mayHaveHappened, refusalOf } from '../errors.ts';
import type { Api } from '../exchange.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import { nameOf, readName, type Name } from '../names.ts';
import type { PayPalRefund } from '../request-shapes.ts';
import { findCapture } from './capture.ts';
import { refundOutcome, UNREADABLE } from './payment-outcome.ts';
import { readOrder, readSubject } from './read-order.ts';
import { feeToWire, type FeeOnWire } from './splits-wire.ts';

/** The part of a refund that is of one capture. */
type Part = Sum & { readonly captureId: string; readonly name: Name };

/** The money of a part, with the fee that the platform gives back. */
type Sum = { readonly amount: PayPalMoney; readonly fee: FeeOnWire };

/**
 * Refunds captures. PayPal refunds one capture at a time, so a refund of several captures is several requests. Each has a key of
 * its own, the same on every attempt.
 *
 * A refusal of the first part means that nothing was refunded. After a success, the refusal of a later part leaves the outcome
 * unknown: a part of the money has moved.
 */
export async function refund(api: Api, request: RefundRequest): Promise<Outcome> {
  const { money } = request;
  const sums = sumsOf(request);
  if (!sums.ok) return refusedBefore(sums.refusals[0]);
  const parts = await partsOf(api, request, sums.value);
  if ('kind' in parts) return parts;
  const outcomes: Outcome[] = [];
  for (const [index, part] of parts.entries()) {
    const outcome = await refundPart(api, request.reference, part);
    if (outcome.kind === 'unknown') return isFirst(index) ? outcome : afterOthers(outcome);
    outcomes.push(outcome);
    if (outcome.kind === 'declined' || outcome.kind === 'failed') break;
  }
  return sumOf(outcomes, money);
}

const isFirst = (index: number): boolean => index === 0;

/** The parts before have left, whatever became of this one. */
const afterOthers = ({ cause }: Extract<Outcome, { readonly kind: 'unknown' }>): Outcome => ({
  kind: 'unknown',
  cause,
});

/** Maps the money of each part. PayPal limits the fee of a part by that of its capture. So each part has its own fee. */
function sumsOf({ money: { currency }, captures }: RefundRequest): Result<readonly Sum[], Impossible> {
  const sums: Sum[] = [];
  for (const capture of captures) {
    const amount = amountToWire({ amount: capture.amount, currency });
    if (amount === null) return refuse(IMPOSSIBLE.amount);
    const fee = feeToWire(capture.shares && { shares: capture.shares }, currency);
    if (!fee.ok) return fee;
    sums.push({ amount, fee: fee.value });
  }
  return ok(sums);
}

/** Returns the parts of a refund. Refuses a refund with a capture that PayPal does not have, before any part is sent. */
async function partsOf(
  api: Api,
  request: RefundRequest,
  sums: readonly Sum[],
): Promise<readonly Part[] | Outcome> {
  const ids = await captureIdsOf(api, request);
  if ('kind' in ids) return ids;
  const parts = sums.flatMap((sum, index) => {
    const captureId = ids[index] ?? null;
    const name = { key: request.key, part: index + 1, parts: sums.length };
    return captureId === null ? [] : { ...sum, captureId, name };
  });
  return parts.length === sums.length ? parts : refusedBefore(IMPOSSIBLE.capture);
}

/**
 * Returns PayPal's ids of the captures, null for a capture that PayPal does not have. The order names the capture of a sale,
 * whose reference is the order. The order also names a capture whose id we never learned.
 */
async function captureIdsOf(
  api: Api,
  { reference, captures }: RefundRequest,
): Promise<readonly (string | null)[] | Outcome> {
  const isNamed = (capture: RefundedCapture): boolean => capture.reference !== reference && !isOurs(capture);
  if (captures.every(isNamed)) return captures.map((capture) => capture.reference);
  const read = await readSubject(api, reference);
  if ('unknown' in read) return read.unknown;
  return captures.map((capture) =>
    isNamed(capture) ? capture.reference : (findCapture(read.order, capture.key)?.id ?? null),
  );
}

/** True if our own key stands in for PayPal's id, which was not known when the capture was settled. */
const isOurs = ({ reference }: RefundedCapture): boolean => readName(reference) !== null;

async function refundPart(api: Api, order: string, { captureId, amount, fee, name }: Part): Promise<Outcome> {
  const path = `/v2/payments/captures/${encodeURIComponent(captureId)}/refund`;
  const text = nameOf(name);
  const body: PayPalRefund = { amount, custom_id: text, invoice_id: text, ...fee };
  const answer = await api.post(path, body, text);
  if (answer.kind === 'unknown') return answer.unknown;
  if (answer.kind === 'answered') {
    const made = payment.safeParse(answer.body).data;
    return made ? refundOutcome(made) : UNREADABLE;
  }
  if (!mayHaveHappened(answer.error)) return refusalOf(answer.error, null);
  // An earlier request may have refunded the money, and PayPal may have forgotten its key.
  const read = await readOrder(api, order);
  if ('unknown' in read) return { kind: 'unknown', cause: read.unknown.cause };
  const found = read.order && findRefund(read.order, text);
  return found ? refundOutcome(found) : refusalOf(answer.error, null);
}

const findRefund = (order: Order, text: string) =>
  paymentsOf(order).refunds.find(({ invoice_id: invoice }) => invoice === text);

/** Returns the outcome of a refund by those of its parts. Parts with different ends have no common outcome. */
function sumOf(outcomes: readonly Outcome[], money: Money): Outcome {
  const [first] = outcomes;
  if (!first || outcomes.length === 1) return first ?? UNREADABLE;
  const isAll = (...kinds: readonly Outcome['kind'][]): boolean =>
    outcomes.every(({ kind }) => kinds.includes(kind));
  if (isAll('declined', 'failed')) return first;
  if (isAll('succeeded') && first.kind === 'succeeded') {
    const amount = outcomes.reduce((sum, each) => sum + amountOf(each, money), 0);
    return { ...first, money: { ...money, amount } };
  }
  const waiting = outcomes.find(({ kind }) => kind === 'accepted');
  if (!isAll('succeeded', 'accepted') || waiting?.kind !== 'accepted' || !('reference' in first))
    return UNREADABLE;
  return { ...waiting, reference: first.reference ?? waiting.reference };
}

/** Returns the amount of a success in the currency of the refund. Not a number in another currency, which no sum fits. */
const amountOf = (outcome: Outcome, { currency }: Money): number =>
  outcome.kind === 'succeeded' && outcome.money.currency === currency ? outcome.money.amount : Number.NaN;

/** Returns the outcome of a refund by the refunds of its order. Null if PayPal has none of this key. */
export function refundOfOrder(order: Order, key: string, money: Money): Outcome | null {
  const found = paymentsOf(order)
    .refunds.flatMap((made) => {
      const name = readName(made.invoice_id);
      return name?.key === key ? { name, outcome: refundOutcome(made) } : [];
    })
    .toSorted((a, b) => a.name.part - b.name.part);
  const [first] = found;
  if (!first) return null;
  const outcomes = found.map(({ outcome }) => outcome);
  const isWhole = first.name.parts === found.length;
  return isWhole && outcomes.every(({ kind }) => kind !== 'unknown') ? sumOf(outcomes, money) : UNREADABLE;
}
