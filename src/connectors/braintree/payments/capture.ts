import {
  refusedBefore,
  type CallContext,
  type CaptureRequest,
  type Outcome,
  type Unknown,
} from '../../door.ts';
import { amountToWire } from '../amount.ts';
import { changeAnswers, childrenOf, type Transaction } from '../answers.ts';
import { refusalOf } from '../errors.ts';
import { parse, UNDECIDED, UNREADABLE, type Answer, type Api } from '../exchange.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import { capturedOrderId, captureReferenceOf, childOf, namesIn } from '../names.ts';
import { captureOutcome } from './payment-outcome.ts';
import { readTransaction } from './read-transaction.ts';
import { isClosed, isHeld } from './status.ts';

/**
 * Captures a part or all of an authorisation. Braintree keeps no keys, so the transaction is read first: a capture of this key is not
 * made again.
 *
 * One capture is the transaction itself. Each of several captures is a transaction of its own.
 */
export async function capture(api: Api, context: CallContext, request: CaptureRequest): Promise<Outcome> {
  const { key, money, reference, final } = request;
  const amount = amountToWire(money);
  if (amount === null) return refusedBefore(IMPOSSIBLE.amount);
  const read = await readSubject(api, reference);
  if ('kind' in read) return read;
  const earlier = captureIn(read, key);
  if (earlier) return earlier;
  if (!isHeld(read)) return notHeld(read);
  const isOneOfSeveral = !final || childrenOf(read).length > 0;
  if (isOneOfSeveral && context.credentials['multiple_captures'] !== 'true')
    return refusedBefore(IMPOSSIBLE.several);
  const orderId = capturedOrderId(read.orderId, key);
  const answer = isOneOfSeveral
    ? await api.change(
        'partialCaptureTransaction',
        { transactionId: reference, transaction: { amount, orderId, finalCapture: final } },
        key,
      )
    : await api.change(
        'captureTransaction',
        { transactionId: reference, transaction: { amount, orderId } },
        key,
      );
  if (answer.kind !== 'answered') return afterRefusal(api, request, answer);
  const made = isOneOfSeveral
    ? parse(changeAnswers.partialCaptureTransaction, answer.body)
    : parse(changeAnswers.captureTransaction, answer.body);
  return (made && captureOutcome(made, captureReferenceOf(read, made))) ?? UNREADABLE;
}

/** Reads the transaction of an operation. An operation without it was not sent. */
export async function readSubject(api: Api, reference: string): Promise<Transaction | Outcome> {
  const read = await readTransaction(api, reference);
  if (read === null) return MISSING;
  return isUnknown(read) ? { ...read, sent: false } : read;
}

/** Braintree does not show the object of a request, which says nothing about an earlier request of the same key. */
export const MISSING: Unknown = {
  ...{ kind: 'unknown', cause: 'server_error', sent: false, refusedAs: 'unknown_service_resource' },
};

const isUnknown = (read: Transaction | Unknown): read is Unknown => 'kind' in read;

/**
 * Returns the outcome of the capture of our key. Null if the transaction has none. With child captures, the name of the transaction
 * may be that of any of them.
 */
export function captureIn(transaction: Transaction, key: string): Outcome | null {
  const isNamed = namesIn(transaction.orderId).captureKey === key;
  const children = childrenOf(transaction);
  const made = children.length > 0 ? childOf(children, key) : isNamed ? transaction : null;
  if (made === null) return isNamed ? UNREADABLE : null;
  return captureOutcome(made, captureReferenceOf(transaction, made)) ?? UNREADABLE;
}

/** An earlier request of this key may have captured since the transaction was read. */
async function afterRefusal(
  api: Api,
  { key, reference }: CaptureRequest,
  answer: Exclude<Answer, { kind: 'answered' }>,
): Promise<Outcome> {
  if (answer.kind === 'unknown') return answer.unknown;
  const read = await readSubject(api, reference);
  // Without the transaction, nobody knows which request was refused.
  if ('kind' in read) return UNDECIDED;
  return captureIn(read, key) ?? refusalOf(answer.error);
}

/** Returns the outcome of a capture of nothing. Unknown if the status may mean anything. */
function notHeld(transaction: Transaction): Outcome {
  const { status } = transaction;
  if (!isClosed(transaction)) return { ...UNREADABLE, sent: false };
  return {
    ...{ kind: 'failed', reference: null },
    errorCode: status === 'AUTHORIZATION_EXPIRED' ? 'expired_authorization' : 'unexpected_state',
    ...{ rawResponseCode: status, rawResponseDescription: null },
  };
}
