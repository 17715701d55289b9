import type { BooksAnswer, BooksQuestion } from '../../../src/connectors/sandbox/read-books.ts';
import { isSaleRequest, type Books, type Entry } from '../books.ts';
import type { Place } from '../harness.ts';
import { RESULTS, SUBJECTS } from '../reports.ts';
import { heldOf, type Held } from './limits.ts';

/** Answers a question for the books of a payment. Each operation has the names that a webhook about it has. */
export function tellBooks(
  { entries }: Books,
  place: Place,
  { payment_id: paymentId }: BooksQuestion,
): BooksAnswer {
  const authorisation = entries.find(
    (one) => one.place === place && one.verb === 'authorize' && one.id === paymentId,
  );
  if (!authorisation || place === 'none') return { result: 'not_found' };
  const mine = entries.filter((one) => one.place === place && one.paymentId === paymentId);
  const held = heldOf(entries, authorisation);
  return {
    result: 'found',
    state: stateOf(authorisation.result, held),
    authorized: held.authorized,
    currency: authorisation.request.currency,
    events: mine.flatMap((entry, number) =>
      eventOf(entry, authorisation, isInSum(entry) ? mine : mine.slice(0, number + 1)),
    ),
  };
}

/** True for the captures that a provider tells as one sum, whose state is that of now. */
const isInSum = ({ place, verb, byHand }: Entry): boolean =>
  place === 'lookup' && verb === 'capture' && byHand !== undefined;

function stateOf(
  result: Entry['result'],
  { authorized, captured, isEnded }: Held,
): Extract<BooksAnswer, { readonly result: 'found' }>['state'] {
  if (result === 'pending') return 'pending';
  if (result !== 'approved') return 'refused';
  if (captured > 0) return isEnded || captured >= authorized ? 'closed' : 'open';
  return isEnded ? 'voided' : 'open';
}

function eventOf(entry: Entry, authorisation: Entry, until: readonly Entry[]): readonly object[] {
  const { verb, result, key, request, byHand, code } = entry;
  const { amount, currency } = request;
  // Sales and cancels have no names of their own in these books.
  if (verb === 'cancel' || (isSaleRequest(entry) && entry !== authorisation)) return [];
  const held = heldOf(until, authorisation);
  return [
    {
      event: `${SUBJECTS[verb]}.${RESULTS[result]}`,
      payment_service_reference: nameOf(entry, held),
      ...(byHand ? { payment_service_transaction_id: authorisation.id } : { idempotency_key: key, code }),
      ...(result === 'approved' && verb !== 'void' && { amount, currency }),
      ...(byHand && totalOf(entry, held)),
    },
  ];
}

/** Returns the provider's id of an operation. The provider that tells sums names the captures of a hand by their sum. */
export const nameOf = (entry: Entry, { captured }: Held): string =>
  isInSum(entry) ? `${entry.paymentId}:${captured}` : entry.id;

/** Returns the sum that a provider tells after an act of a hand. Only one provider tells sums. */
export const totalOf = (
  { place, verb }: Entry,
  { authorized, captured }: Held,
): { readonly total_amount?: number } =>
  place !== 'lookup' || (verb !== 'increase' && verb !== 'capture')
    ? {}
    : { total_amount: verb === 'increase' ? authorized : captured };
