import type { BooksAnswer, BooksQuestion } from '../../../src/connectors/sandbox/read-books.ts';
import { isSaleRequest, type Books, type Entry } from '../books.ts';
import type { Place } from '../harness.ts';
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
  const { authorized, captured, isEnded } = heldOf(entries, authorisation);
  const mine = entries.filter((one) => one.place === place && one.paymentId === paymentId);
  const isVoided = mine.some((one) => one.released || (one.verb === 'void' && one.result === 'approved'));
  return {
    result: 'found',
    state:
      authorisation.result === 'pending'
        ? 'pending'
        : authorisation.result !== 'approved'
          ? 'refused'
          : captured > 0
            ? isEnded || captured >= authorized
              ? 'closed'
              : 'open'
            : isVoided
              ? 'voided'
              : 'open',
    authorized,
    currency: authorisation.request.currency,
    events: mine.flatMap((entry, number) => eventOf(entry, authorisation, mine.slice(0, number + 1))),
  };
}

const SUBJECTS = { authorize: 'authorization' } as const;
const RESULTS = { approved: 'succeeded', declined: 'declined', error: 'failed', pending: 'pending' } as const;

function eventOf(entry: Entry, authorisation: Entry, until: readonly Entry[]): readonly object[] {
  const { verb, result, key, id, request, byHand, code } = entry;
  const { amount, currency } = request;
  // Sales and cancels have no names of their own in these books.
  if (verb === 'cancel' || (isSaleRequest(entry) && entry !== authorisation)) return [];
  const subject = verb === 'authorize' ? SUBJECTS[verb] : verb;
  return [
    {
      event: `${subject}.${RESULTS[result]}`,
      payment_service_reference: id,
      ...(byHand ? { payment_service_transaction_id: authorisation.id } : { idempotency_key: key, code }),
      ...(result === 'approved' && verb !== 'void' && { amount, currency }),
      ...(byHand && totalOf(entry, heldOf(until, authorisation))),
    },
  ];
}

/** Returns the sum that a provider tells after an act of a hand. Only one provider tells sums. */
export const totalOf = (
  { place, verb }: Entry,
  { authorized, captured }: Held,
): { readonly total_amount?: number } =>
  place !== 'lookup' || (verb !== 'increase' && verb !== 'capture')
    ? {}
    : { total_amount: verb === 'increase' ? authorized : captured };
