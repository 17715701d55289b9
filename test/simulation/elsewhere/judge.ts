import type { Books, Entry } from '../books.ts';
import type { Evidence, Violation } from '../judge.ts';
import type { OperationRow, State } from '../state.ts';

/**
 * Checks that each operation of a hand is booked once, with the provider's id. Nothing else is booked so.
 * The judge of money compares the sums. A late approval ends by a release, by an acceptance, or with a difference.
 */
export function judgeElsewhere({ state, books }: Evidence): Violation[] {
  const made = state.operations.filter(({ origin }) => origin === 'provider');
  const listed = listedOf(state);
  const byHand = books.entries.filter(({ byHand: by, result }) => by !== undefined && result === 'approved');
  const broken = [
    ...made.map((operation) => {
      const known = books.entries.filter((entry) => isOf(operation, entry));
      return known.length === 0 && `${operation.kind} ${operation.id} was made by nobody`;
    }),
    ...byHand
      .filter((entry) => hasOneBooking(entry) && !listed.has(entry.id))
      .map((entry) => {
        const booked = made.filter((operation) => operation.provider_reference === entry.id);
        // Nobody may have heard of what the provider took back.
        const isGone = entry.reversed === entry.request.amount && booked.length === 0;
        return (
          booked.length !== 1 &&
          !isGone &&
          `${entry.verb} ${entry.id} by hand is booked ${booked.length} times`
        );
      }),
    ...books.entries.map((entry) => entry.approvedLate === true && judgeLate(entry, state)),
    ...state.differences.map(
      ({ finding, state: is, subject }) =>
        is === 'open' && UNEXPLAINED.has(finding) && `${finding} of ${subject} is left`,
    ),
  ];
  return broken.flatMap((message) => (message ? [{ kind: 'elsewhere', message }] : []));
}

/** Lists the ids of what a hand made to a payment that had ended here, so that people must decide. */
export const listedOf = ({ differences }: State): ReadonlySet<string> =>
  new Set(
    differences.flatMap(({ finding, state: is, subject }) =>
      finding === 'unexpected_state' && is === 'open' ? [subject] : [],
    ),
  );

/** The findings that no hand of the simulation gives a reason for. */
const UNEXPLAINED: ReadonlySet<string> = new Set([
  ...['missing_at_provider', 'other_money', 'too_large', 'unknown_amount'],
]);

const isOf = (operation: OperationRow, entry: Entry): boolean =>
  (entry.byHand !== undefined || entry.approvedLate === true) &&
  entry.verb === operation.kind &&
  (!hasOneBooking(entry) || operation.provider_reference === entry.id);

/** False for a void, which may change nothing here, and for a capture that a sum tells together with others. */
const hasOneBooking = ({ verb, place }: Entry): boolean =>
  verb !== 'void' &&
  ((verb !== 'capture' && verb !== 'increase') || (place !== 'lookup' && place !== 'stripe'));

/** A refused authorisation that its provider approved later has a release, or is booked as one of the provider. */
function judgeLate({ key, id }: Entry, state: State): string | false {
  const refused = state.operations.find((one) => one.id === key);
  if (refused?.status !== 'declined' && refused?.status !== 'failed') return false;
  const releases = state.operations.filter(({ releases_id: of }) => of === refused.id).length;
  if (releases > 1) return `the late approval ${id} is released ${releases} times`;
  return releases === 0 && !isAcceptedLate(refused, state) && `the late approval ${id} has no end`;
}

/** Tells whether a refused authorisation was approved later, and a release began then. */
export const isReleasedLate = ({ id }: OperationRow, { operations }: State): boolean =>
  operations.some(({ releases_id: of }) => of === id);

/** Tells whether a refused authorisation was approved later, and accepted then. */
export const isAcceptedLate = (
  { kind, transaction_id: of, payment_service_id: service, origin }: OperationRow,
  { operations }: State,
): boolean =>
  kind === 'authorize' &&
  origin === 'requested' &&
  operations.some(
    (one) =>
      one.kind === 'authorize' &&
      one.origin === 'provider' &&
      one.transaction_id === of &&
      one.payment_service_id === service,
  );

/** Returns the books with our ids of the operations that the provider's side made, in place of their own names. */
export function inOurNames(books: Books, { operations }: State): Books {
  const made = operations.filter(
    ({ origin, provider_reference: id }) => origin === 'provider' && id !== null,
  );
  const ids = new Map(made.map(({ id, provider_reference: reference }) => [reference, id]));
  const renamed = (entry: Entry): Entry =>
    entry.byHand !== undefined || entry.approvedLate === true
      ? { ...entry, key: ids.get(entry.id) ?? entry.key }
      : entry;
  return { ...books, entries: books.entries.map(renamed) };
}
