import { unreadOf, type Unknown } from '../../door.ts';
import { nodeAnswer, searchAnswer, type Transaction } from '../answers.ts';
import { isMissing } from '../errors.ts';
import { parse, UNREADABLE, type Api } from '../exchange.ts';
import { namesIn } from '../names.ts';
import { duplicatedBy, isStanding } from './status.ts';

/** Reads a transaction. Null if Braintree does not have the transaction. */
export async function readTransaction(api: Api, id: string): Promise<Transaction | Unknown | null> {
  const answer = await api.read('node', { id });
  if (answer.kind === 'refused' && isMissing(answer.error)) return null;
  if (answer.kind !== 'answered') return unreadOf(answer);
  const read = parse(nodeAnswer, answer.body);
  return read ? read.node : UNREADABLE;
}

/**
 * Finds the transaction of an authorisation by our key. Null if the search shows none, which alone proves nothing: the search may be
 * late. Without its original, a refused repetition does not tell how the payment ended.
 */
export async function findTransaction(api: Api, key: string): Promise<Transaction | Unknown | null> {
  const found = await searchTransactions(api, key);
  if ('kind' in found) return found;
  return paymentAmong(found) ?? (found.length > 0 ? UNREADABLE : null);
}

/** Searches the transactions of an authorisation by our key. */
export async function searchTransactions(api: Api, key: string): Promise<readonly Transaction[] | Unknown> {
  const answer = await api.read('search', { input: { orderId: { startsWith: key } } });
  if (answer.kind !== 'answered') return unreadOf(answer);
  const read = parse(searchAnswer, answer.body);
  if (!read || read.search.transactions.pageInfo.hasNextPage) return UNREADABLE;
  return read.search.transactions.edges
    .map(({ node }) => node)
    .filter((each) => namesIn(each.orderId).key === key && !isChild(each));
}

/**
 * Finds the payment among the transactions of a key. Null without one.
 *
 * - A refused repetition is left out, because the transaction that it repeats is the one.
 * - The newest of several refused transactions counts. Several that hold money are never taken for one.
 */
export function paymentAmong(transactions: readonly Transaction[]): Transaction | Unknown | null {
  const made = transactions.filter((each) => duplicatedBy(each) === null);
  const standing = made.filter(isStanding);
  if (standing.length > 1) return UNREADABLE;
  return standing[0] ?? made.toSorted(newestFirst)[0] ?? null;
}

/** A child capture has the name of its authorisation in its order id. */
const isChild = ({ partialCaptureDetails }: Transaction): boolean =>
  partialCaptureDetails?.parentAuthorization != null;

const newestFirst = (one: Transaction, other: Transaction): number =>
  (other.createdAt?.getTime() ?? 0) - (one.createdAt?.getTime() ?? 0);
