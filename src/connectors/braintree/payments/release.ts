import { refusedBefore, type CancelRequest, type FollowUpRequest, type Outcome } from '../../door.ts';
import { changeAnswers, childrenOf, type Transaction } from '../answers.ts';
import { refusalOf } from '../errors.ts';
import { parse, UNDECIDED, UNREADABLE, type Api } from '../exchange.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import { namesIn } from '../names.ts';
import { readSubject } from './capture.ts';
import { refundOutcome } from './payment-outcome.ts';
import { findTransaction, readTransaction } from './read-transaction.ts';
import { captureEventOf, isCaptured, isClosed, isEnded, isHeld, isRefused } from './status.ts';

type Released = Pick<FollowUpRequest, 'key' | 'money'>;

/**
 * Releases an authorisation. Braintree's reversal refunds what is settled, so the transaction is read first, and only a held one is
 * reversed. A second reversal releases nothing more.
 */
export async function voidPayment(api: Api, request: FollowUpRequest): Promise<Outcome> {
  const read = await readSubject(api, request.reference);
  if ('kind' in read) return read;
  return releasedBy(read, request) ?? reverse(api, read, request, releasedBy);
}

/** Returns the outcome of a release that needs no request. Null while something is held. */
export function releasedBy(transaction: Transaction, { money }: Released): Outcome | null {
  if (isHeld(transaction)) return null;
  if (!isClosed(transaction)) return UNREADABLE;
  const wasTaken = !isRefused(transaction) && captureEventOf(transaction) !== undefined;
  return wasTaken ? refusedBefore(IMPOSSIBLE.captured) : succeeded(transaction, money);
}

const succeeded = (
  { id, status }: Pick<Transaction, 'id' | 'status'>,
  money: Released['money'],
): Outcome => ({
  ...{ kind: 'succeeded', reference: id, money },
  ...{ rawResponseCode: status, rawResponseDescription: null },
});

/**
 * Ends a payment that nobody waits for any more. Braintree decides at once, so the payment may be refused already. Otherwise its money
 * is given back: by a void, or for a settled sale by a refund.
 */
export async function cancel(api: Api, request: CancelRequest): Promise<Outcome> {
  const { reference, authorizationKey } = request;
  const found =
    reference === null ? await findTransaction(api, authorizationKey) : await readTransaction(api, reference);
  if (found === null) return UNDECIDED;
  if ('kind' in found) return found;
  return cancelledBy(found, request) ?? reverse(api, found, request, cancelledBy);
}

/** Returns the outcome of a cancel by the transaction. Null for one that holds money, and for a sale that stands. */
export function cancelledBy(transaction: Transaction, { money }: Released): Outcome | null {
  const { status, orderId, refunds } = transaction;
  if (isRefused(transaction) || isEnded(transaction) || status === 'SETTLEMENT_DECLINED')
    return succeeded(transaction, money);
  if (isHeld(transaction))
    return childrenOf(transaction).length > 0 ? refusedBefore(IMPOSSIBLE.captured) : null;
  if (!isCaptured(transaction)) return UNDECIDED;
  if (!namesIn(orderId).isSale) return refusedBefore(IMPOSSIBLE.captured);
  const outcomes = refunds.map(refundOutcome);
  // A refund that waits may be that of an earlier request of this key.
  if (outcomes.some(({ kind }) => kind === 'accepted' || kind === 'unknown')) return UNDECIDED;
  const given = outcomes.flatMap((each) => (each.kind === 'succeeded' ? [each.money.amount] : []));
  if (given.length === 0) return null;
  // A person may have refunded a part.
  return given.includes(money.amount) ? succeeded(transaction, money) : refusedBefore(IMPOSSIBLE.captured);
}

/**
 * Reverses a transaction whole. Braintree itself chooses between a void and a refund, and only a settled sale may be refunded.
 *
 * - `outcomeBy`: tells the outcome by the transaction after a void, and after a refusal. An earlier request of this key may have reversed
 *   the transaction.
 */
async function reverse(
  api: Api,
  { id, orderId }: Transaction,
  { key, money }: Released,
  outcomeBy: (transaction: Transaction, released: Released) => Outcome | null,
): Promise<Outcome> {
  const answer = await api.change('reverseTransaction', { transactionId: id }, key);
  if (answer.kind === 'unknown') return answer.unknown;
  if (answer.kind === 'refused') {
    const read = await readTransaction(api, id);
    if (read === null || 'kind' in read) return UNDECIDED;
    return outcomeBy(read, { key, money }) ?? refusalOf(answer.error);
  }
  const made = parse(changeAnswers.reverseTransaction, answer.body);
  // A person may have captured since the transaction was read. The void of the capture is then no release.
  if (made?.__typename === 'Transaction')
    return (made.status === 'VOIDED' ? outcomeBy(made, { key, money }) : null) ?? UNREADABLE;
  const given = made && refundOutcome(made).kind;
  if (given === 'accepted') return UNDECIDED;
  return made && given === 'succeeded' && namesIn(orderId).isSale
    ? succeeded({ id, status: made.status }, money)
    : UNREADABLE;
}
