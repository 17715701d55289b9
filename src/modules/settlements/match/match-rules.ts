import { sameMoney, type Money } from '../../../kernel/money.ts';
import type { Match, SettlementDifference, SettlementEntry } from '../settlement.ts';

/** Something of the payment service that an entry names. */
export type Named = {
  readonly by: 'key' | 'reference' | 'dispute' | 'payment' | 'capture';
  readonly transactionId: string;
  /** The named operation and its kind. Null for a payment and for a dispute. */
  readonly operationId: string | null;
  readonly operationKind: string | null;
  readonly disputeId: string | null;
};

/** A booking of the ledger that a provider settles. `settled` tells whether stored entries do, wholly. */
export type Booking = Money & {
  readonly id: string;
  readonly transactionId: string;
  readonly operationId: string;
  readonly operationKind: string;
  /** The provider's id of the operation. Null if not known. */
  readonly providerReference: string | null;
  readonly kind: string;
  readonly settled: boolean;
  /** The sum of the stored instalments, in minor units of the booking. */
  readonly parts: number;
};

/** A dispute. `held` is the number of stored chargebacks minus that of their reversals. */
export type HeldDispute = Money & {
  readonly id: string;
  readonly transactionId: string;
  readonly operationId: string | null;
  readonly held: number;
};

/** The books, as far as the entries of a page name them. */
export type Books = { readonly bookings: readonly Booking[]; readonly disputes: readonly HeldDispute[] };

/** An entry with all that it names, in no order. */
export type NamedEntry = { readonly entry: SettlementEntry; readonly named: readonly Named[] };

/**
 * Matches entries against the books, in their order. Pure.
 *
 * - A charge, a refund and a reversal settle one booking each, of the same money. A booking is settled once.
 * - The provider's id of an operation that is not booked here stands for no other operation.
 * - Instalments settle one booking together. The last one settles it, and their sum may not be above.
 * - A chargeback is of a dispute, of the same money. A second one needs a reversal between.
 * - A fee and a payout are of no operation.
 * - An adjustment is always a difference. So are an entry of an unknown kind and an unreadable one.
 */
export function matchEntries(entries: readonly NamedEntry[], books: Books): readonly Match[] {
  const settled = new Set(books.bookings.filter((each) => each.settled).map(({ id }) => id));
  const held = new Map(books.disputes.map(({ id, held: count }) => [id, count]));
  const parts = new Map(
    books.bookings.map(({ operationId, kind, parts: sum }) => [`${kind} ${operationId}`, sum]),
  );
  return entries.map(({ entry, named }) => {
    const match = matchOne(entry, named, { ...books, settled, held, parts });
    if (match.ledgerEntryId !== null) settled.add(match.ledgerEntryId);
    if (entry.isPart && match.difference === null) addPart(parts, entry, match);
    if (match.disputeId !== null && match.difference === null)
      held.set(match.disputeId, (held.get(match.disputeId) ?? 0) + (entry.kind === 'chargeback' ? 1 : -1));
    return match;
  });
}

/** Counts an instalment for the booking that it settles in part. */
function addPart(parts: Map<string, number>, entry: SettlementEntry, { operationId }: Match): void {
  const name = `${entry.kind === 'charge' ? 'capture' : entry.kind} ${operationId}`;
  parts.set(name, (parts.get(name) ?? 0) + moneyOf(entry).amount);
}

/** The names in order: the first that finds something counts. */
const ORDER: readonly Named['by'][] = ['key', 'reference', 'dispute', 'payment', 'capture'];

/**
 * Returns the name that counts. An operation of the kind comes first, because one reference may stand for several operations. A
 * provider may also copy our key of the authorisation to an operation that somebody made elsewhere.
 */
function bestOf(named: readonly Named[], kind: string | null = null): Named | null {
  const rank = ({ by, operationKind }: Named): number =>
    ORDER.indexOf(by) + (kind === null || operationKind === kind ? 0 : ORDER.length);
  return named.toSorted((one, other) => rank(one) - rank(other))[0] ?? null;
}

type State = Books & {
  readonly settled: ReadonlySet<string>;
  readonly held: ReadonlyMap<string, number>;
  /** The sums of the instalments by kind and operation. */
  readonly parts: ReadonlyMap<string, number>;
};

function matchOne(entry: SettlementEntry, named: readonly Named[], state: State): Match {
  switch (entry.kind) {
    case 'charge':
      return matchBooking(entry, named, { state, kind: 'capture', of: 'capture' });
    case 'refund':
      return matchBooking(entry, named, { state, kind: 'refund', of: 'refund' });
    case 'reversal':
      return entry.gross < 0
        ? matchBooking(entry, named, { state, kind: 'capture_reversal', of: 'capture' })
        : matchBooking(entry, named, { state, kind: 'refund_reversal', of: 'refund' });
    case 'chargeback':
    case 'chargeback_reversal':
      return matchDispute(entry, bestOf(named), state);
    case 'adjustment':
      return matchOf(bestOf(named), 'adjustment');
    case 'unknown':
      return matchOf(bestOf(named), 'unknown_kind');
    case 'unreadable':
      return matchOf(null, 'unreadable');
    default:
      return matchOf(bestOf(named), null);
  }
}

const matchOf = (named: Named | null, difference: SettlementDifference | null): Match => ({
  transactionId: named?.transactionId ?? null,
  operationId: named?.operationId ?? null,
  ...{ disputeId: null, ledgerEntryId: null, difference },
});

/** The kind of the booking, and of the operation that makes such bookings. A sale's authorisation makes captures too. */
type Wanted = { readonly state: State; readonly kind: string; readonly of: string };

function matchBooking(entry: SettlementEntry, all: readonly Named[], { state, kind, of }: Wanted): Match {
  const named = bestOf(all, of);
  if (named === null) return matchOf(null, 'no_such_operation');
  const ofPayment = state.bookings.filter(
    (each) => each.transactionId === named.transactionId && each.kind === kind,
  );
  const own = ofPayment.filter(({ operationId }) => operationId === named.operationId);
  // An entry may name the authorisation of a captured payment, or the capture that a refund is of.
  const isOwn = own.length > 0 || named.operationKind === of;
  const candidates = isOwn ? own : ofPayment.filter((each) => !isAnother(each, entry, all));
  if (candidates.length === 0) return matchOf(named, 'operation_not_succeeded');
  const open = candidates.filter(({ id }) => !state.settled.has(id));
  const isFitting = entry.isPart ? fitsInto(entry, state) : fitsWhole(entry, state);
  const found = open.find(isFitting);
  if (found)
    return {
      ...{ ...matchOf(named, null), operationId: found.operationId },
      ledgerEntryId: isLast(entry, found, state) ? found.id : null,
    };
  const difference = open.length === 0 ? 'already_settled' : differenceOf(entry, open);
  const nearest = open[0] ?? candidates.find(isFitting) ?? candidates[0];
  return { ...matchOf(named, difference), operationId: nearest?.operationId ?? named.operationId };
}

/**
 * True if the entry has the provider's id of another operation than that of a booking. An id of the payment or of an operation here
 * tells nothing. A provider may name several captures by one id, each with a suffix.
 */
function isAnother(
  { operationKind, providerReference: known }: Booking,
  { kind, operationReference: own, paymentReference: payment }: SettlementEntry,
  named: readonly Named[],
): boolean {
  if (kind === 'reversal' || operationKind === 'authorize' || own === null || known === null) return false;
  if (named.some(({ by }) => by === 'reference')) return false;
  return ![own, payment].some((name) => name !== null && (known === name || known.startsWith(`${name}:`)));
}

const partsOf = ({ kind, operationId }: Booking, { parts }: State): number =>
  parts.get(`${kind} ${operationId}`) ?? 0;

/** An instalment fits while the sum of all is not above its booking. */
const fitsInto =
  (entry: SettlementEntry, state: State) =>
  (booking: Booking): boolean =>
    booking.currency === moneyOf(entry).currency &&
    partsOf(booking, state) + moneyOf(entry).amount <= booking.amount;

/** An entry of the whole money fits only without instalments. */
const fitsWhole =
  (entry: SettlementEntry, state: State) =>
  (booking: Booking): boolean =>
    sameMoney(booking, moneyOf(entry)) && partsOf(booking, state) === 0;

const isLast = (entry: SettlementEntry, booking: Booking, state: State): boolean =>
  !entry.isPart || partsOf(booking, state) + moneyOf(entry).amount === booking.amount;

function matchDispute(entry: SettlementEntry, named: Named | null, { disputes, held }: State): Match {
  if (named === null) return matchOf(null, 'no_such_dispute');
  const ofPayment = disputes.filter(({ transactionId }) => transactionId === named.transactionId);
  const own = ofPayment.filter(({ id }) => id === named.disputeId);
  // A provider's id of a dispute that is not known here may not be taken for another dispute.
  const candidates = own.length > 0 || entry.disputeReference !== null ? own : ofPayment;
  const isFitting = fitsTo(entry);
  const dispute = candidates.find(isFitting) ?? candidates[0];
  if (!dispute) return matchOf(named, 'no_such_dispute');
  const isHeld = (held.get(dispute.id) ?? 0) > 0;
  const difference =
    refuseTurn(entry.kind, isHeld) ?? (isFitting(dispute) ? null : differenceOf(entry, [dispute]));
  return { ...matchOf(named, difference), operationId: dispute.operationId, disputeId: dispute.id };
}

/** Disputed money leaves before it comes back, and comes back before it leaves again. */
function refuseTurn(kind: SettlementEntry['kind'], isHeld: boolean): SettlementDifference | null {
  if (kind === 'chargeback') return isHeld ? 'already_settled' : null;
  return isHeld ? null : 'operation_not_succeeded';
}

/** The money before a conversion. Without it, the money on the balance. */
const moneyOf = ({ original, gross, currency }: SettlementEntry): Money =>
  original ?? { amount: Math.abs(gross), currency };

const fitsTo =
  (entry: SettlementEntry) =>
  (money: Money): boolean =>
    sameMoney(money, moneyOf(entry));

const differenceOf = (entry: SettlementEntry, open: readonly Money[]): 'other_amount' | 'other_currency' =>
  open.some(({ currency }) => currency === moneyOf(entry).currency) ? 'other_amount' : 'other_currency';
