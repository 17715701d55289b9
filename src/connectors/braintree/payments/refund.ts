import {
  refusedBefore,
  type Money,
  type Outcome,
  type RefundedCapture,
  type RefundRequest,
} from '../../door.ts';
import { amountToWire, moneyFromWire } from '../amount.ts';
import { changeAnswers, childrenOf, type Captured, type Refund, type Transaction } from '../answers.ts';
import { refusalOf } from '../errors.ts';
import { ARRIVED, parse, UNDECIDED, UNREADABLE, type Answer, type Api } from '../exchange.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import { keyOfRefund } from '../names.ts';
import { MISSING, readSubject } from './capture.ts';
import { refundOutcome } from './payment-outcome.ts';
import { captureEventOf, isTakenBack, isVoidedByApi, mayRepeat } from './status.ts';

/**
 * Refunds captures. Braintree keeps no keys, so the transaction is read first: a refund of this key is not made again.
 *
 * - Braintree refunds one capture at a time, so a refund of several captures is several refunds with our key.
 * - Before its settlement, a capture can only be given back whole and alone, by a void of the capture.
 */
export async function refund(api: Api, request: RefundRequest): Promise<Outcome> {
  const { key, reference, money, captures } = request;
  const read = await readSubject(api, reference);
  if ('kind' in read) return read;
  const parts = captures.map((part) => ({ part, captured: capturedIn(read, part) }));
  if (isTooEarly(parts, key)) return refusedBefore(IMPOSSIBLE.unsettledSeveral);
  const outcomes: Outcome[] = [];
  for (const { part, captured } of parts) {
    const outcome = captured ? await refundPart(api, request, { part, captured }) : MISSING;
    const isFirst = outcomes.length === 0;
    if (outcome.kind === 'unknown') return isFirst ? outcome : { kind: 'unknown', cause: outcome.cause };
    if (outcome.kind !== 'succeeded' && outcome.kind !== 'accepted') return isFirst ? outcome : UNREADABLE;
    outcomes.push(outcome);
  }
  return sumOf(outcomes, money);
}

type Sought = { readonly captured: Captured | null };

/**
 * True for a refund of several captures, of which one is not settled. The void of a capture has no name of ours, so nobody could tell
 * the parts of the refund afterwards. A begun refund goes on.
 */
const isTooEarly = (parts: readonly Sought[], key: string): boolean =>
  parts.length > 1 &&
  parts.some(({ captured }) => captured?.status === 'SUBMITTED_FOR_SETTLEMENT') &&
  parts.every(({ captured }) => captured === null || ofKey(captured, key).length === 0);

/** Finds a capture by its id. A sale has the id of its authorisation. */
const capturedIn = (
  transaction: Transaction,
  { reference }: Pick<RefundedCapture, 'reference'>,
): Captured | null =>
  [transaction, ...childrenOf(transaction)].find(
    ({ id, legacyId }) => id === reference || legacyId === reference,
  ) ?? null;

type Part = { readonly part: RefundedCapture; readonly captured: Captured };

async function refundPart(
  api: Api,
  { key, money, reference, isRepeat }: RefundRequest,
  { part, captured }: Part,
): Promise<Outcome> {
  const given = { ...money, amount: part.amount };
  const subject: PartOfKey = { key, reference, given, captured };
  const amount = amountToWire(given);
  if (amount === null) return refusedBefore(IMPOSSIBLE.amount);
  const earlier = refundOf(captured, key, given);
  if (earlier) return earlier;
  if (captured.status === 'SUBMITTED_FOR_SETTLEMENT') {
    if (captured.refunds.length > 0 || !isWhole(captured, given)) return refusedBefore(IMPOSSIBLE.unsettled);
    const answer = await api.change('reverseTransaction', { transactionId: captured.id }, key);
    if (answer.kind !== 'answered') return afterRefusal(api, subject, answer);
    const made = parse(changeAnswers.reverseTransaction, answer.body);
    if (!made) return UNREADABLE;
    if (made.__typename === 'Refund') return refundOutcome(made);
    return made.status === 'VOIDED' ? voided(made, given) : UNREADABLE;
  }
  const answer = await api.change(
    'refundTransaction',
    { transactionId: captured.id, refund: { amount, orderId: key } },
    key,
  );
  if (answer.kind !== 'answered') return afterRefusal(api, subject, answer);
  const made = parse(changeAnswers.refundTransaction, answer.body);
  if (!made) return UNREADABLE;
  return mayRepeat(made)
    ? afterRepetition(api, subject, { made, isRepeat: isRepeat === true })
    : refundOutcome(made);
}

/** A refund of one capture, with the key of the operation. */
type PartOfKey = {
  readonly key: string;
  readonly reference: string;
  readonly given: Money;
  readonly captured: Captured;
};

/**
 * Returns the outcome of a refund that its processor refused by an earlier one. A first request has none of its key before it, unless
 * the capture shows one.
 */
async function afterRepetition(
  api: Api,
  { key, reference, given, captured }: PartOfKey,
  { made, isRepeat }: { readonly made: Refund; readonly isRepeat: boolean },
): Promise<Outcome> {
  const now = await readCaptured(api, reference, captured);
  if (now === null) return ARRIVED;
  const hasEarlier = ofKey(now, key).some((each) => !mayRepeat(each));
  return isRepeat || hasEarlier ? (refundOf(now, key, given) ?? ARRIVED) : refundOutcome(made);
}

/** Reads a capture again. Null without an answer. */
async function readCaptured(api: Api, reference: string, { id }: Captured): Promise<Captured | null> {
  const read = await readSubject(api, reference);
  return 'kind' in read ? null : capturedIn(read, { reference: id });
}

/** An earlier request of this key may have refunded since the transaction was read. */
async function afterRefusal(
  api: Api,
  { key, reference, given, captured }: PartOfKey,
  answer: Exclude<Answer, { kind: 'answered' }>,
): Promise<Outcome> {
  if (answer.kind === 'unknown') return answer.unknown;
  const now = await readCaptured(api, reference, captured);
  if (now === null) return UNDECIDED;
  return refundOf(now, key, given) ?? refusalOf(answer.error);
}

/** Finds the refund of our key at one capture. Without its original, a refused repetition does not tell how the refund ended. */
function refundOf(captured: Captured, key: string, given: Money): Outcome | null {
  const [made, ...others] = ofKey(captured, key);
  if (made === undefined) return reversalOf(captured, given);
  if (others.length > 0) return UNREADABLE;
  return mayRepeat(made) ? ARRIVED : refundOutcome(made);
}

/** Lists the refunds of our key at one capture. A refused one counts only alone, because its processor may refuse a repetition. */
function ofKey(captured: Captured, key: string): readonly Refund[] {
  const made = captured.refunds.filter((each) => keyOfRefund(each, captured) === key);
  const standing = made.filter((each) => !isTakenBack(each));
  return standing.length > 0 ? standing : [...made.filter(mayRepeat), ...made].slice(0, 1);
}

/** True if an amount is everything that was captured. */
function isWhole(captured: Captured, { amount, currency }: Money): boolean {
  const whole = moneyFromWire(captureEventOf(captured)?.amount ?? captured.amount);
  return whole?.amount === amount && whole.currency === currency;
}

/**
 * Returns the outcome of a refund that reversed its capture. Braintree reverses once: by a void, or by a refund if the capture settled
 * meanwhile. A reversal has no name of ours, and only that of a whole capture is taken for ours. Null without one, and for one
 * of a person. A refund that failed gave nothing back, so another one may follow.
 */
function reversalOf(captured: Captured, given: Money): Outcome | null {
  if (!isWhole(captured, given)) return null;
  if (isVoidedByApi(captured)) return voided(captured, given);
  const made = captured.refunds.find(
    (each) =>
      each.source === 'API' &&
      each.orderId === captured.orderId &&
      !isTakenBack(each) &&
      moneyFromWire(each.amount)?.amount === given.amount,
  );
  return made ? refundOutcome(made) : null;
}

const voided = ({ id, status }: Pick<Captured, 'id' | 'status'>, money: Money): Outcome => ({
  ...{ kind: 'succeeded', reference: id, money },
  ...{ rawResponseCode: status, rawResponseDescription: null },
});

/** Returns the outcome of a refund by those of its parts, which all succeeded or wait. */
function sumOf(outcomes: readonly Outcome[], money: Money): Outcome {
  const [first, ...others] = outcomes;
  if (first === undefined || others.length === 0) return first ?? UNREADABLE;
  const done = outcomes.flatMap((each) => (each.kind === 'succeeded' ? [each] : []));
  if (first.kind !== 'succeeded' || done.length < outcomes.length) return UNDECIDED;
  if (done.some(({ money: { currency } }) => currency !== money.currency)) return UNREADABLE;
  return { ...first, money: { ...money, amount: done.reduce((sum, each) => sum + each.money.amount, 0) } };
}

/**
 * Returns the outcome of a refund by its transaction. Null if Braintree shows none of this key, or not all of it.
 *
 * A reversal has no name of ours. With several captures, nobody here knows of which of them the refund is, so a reversal proves nothing.
 */
export function refundIn(transaction: Transaction, key: string, money: Money): Outcome | null {
  const children = childrenOf(transaction);
  const found = [transaction, ...children].flatMap((each) => ofKey(each, key));
  if (found.length > 0) return foundOutcome(found, money);
  return children.length > 0 ? null : reversalOf(transaction, money);
}

/** The first part alone may be there. A repeat makes the others. */
function foundOutcome(found: readonly Refund[], money: Money): Outcome | null {
  if (found.some(mayRepeat)) return UNREADABLE;
  const outcomes = found.map(refundOutcome);
  const [first] = outcomes;
  if (outcomes.length === 1 && first?.kind !== 'succeeded') return first ?? null;
  if (!outcomes.every(({ kind }) => kind === 'succeeded')) return UNREADABLE;
  const whole = sumOf(outcomes, money);
  return whole.kind === 'succeeded' && whole.money.amount < money.amount ? null : whole;
}
