import { createHash } from 'node:crypto';
import type { Booked, SettlementKind } from '../../door.ts';

/** A question for settlements, in the provider's format. */
export type SettlementQuestion = { readonly operation: 'settlements'; readonly cursor: string | null };

/** An entry on the merchant's balance, in the provider's format. */
export type EntryOnWire = {
  readonly id: string;
  readonly type: SettlementKind;
  readonly idempotency_key: string | null;
  readonly reference: string | null;
  readonly payment_id: string | null;
  readonly dispute: string | null;
  readonly payout: string | null;
  readonly gross: number;
  readonly fee: number;
  readonly net: number;
  readonly currency: string;
  readonly amount: number | null;
  readonly original_currency: string | null;
  readonly exchange_rate: string | null;
  readonly settled_on: string;
};

/** A page of entries, in the provider's format. */
export type SettlementPageOnWire = {
  readonly entries: readonly EntryOnWire[];
  readonly cursor: string;
  readonly more: boolean;
};

/** The place after a page. The simulator keeps nothing else, so a restart changes nothing. */
export type Place = {
  /** The last booking of the page, and the day that its entry belongs to. */
  readonly after: string | null;
  readonly afterDay: string;
  /** The day whose entries are not paid out yet, and their sum in each currency. */
  readonly day: string;
  readonly sums: Readonly<Record<string, number>>;
};

export const START: Place = { after: null, afterDay: '', day: '', sums: {} };

/** The bookings of a page. Each page also repeats the last one of the page before. */
export const BOOKINGS_OF_PAGE = 10;

/** The captured amounts that the sandbox settles in another way. */
export const settledOtherwise = {
  other_amount: 695001,
  other_currency: 695002,
  unknown: 695003,
  twice: 695004,
  converted: 695005,
} as const;

/**
 * Settles bookings as the built-in provider. A pure function of the place, the bookings from that place on, and the time.
 *
 * - A day is settled on the next day, an hour after midnight in UTC.
 * - Each day ends with a payout in each currency.
 */
export function simulateSettlements(
  place: Place,
  bookings: readonly Booked[],
  now: Date,
): { readonly entries: readonly EntryOnWire[]; readonly place: Place; readonly more: boolean } {
  const today = dayOf(new Date(now.getTime() - HOUR_MS));
  const entries: EntryOnWire[] = [];
  let { after, afterDay, day } = place;
  let sums = new Map(Object.entries(place.sums));
  const payOut = (): void => {
    for (const [currency, net] of sums) if (net !== 0) entries.push(payoutOf({ day, currency, net }));
    sums = new Map();
  };
  const news = bookings.filter(({ id }) => id !== after);
  for (const repeated of bookings.filter(({ id }) => id === after))
    entries.push(...entriesOf(repeated, afterDay));
  // A booking of today ends the page, also before older ones. Each booking therefore has its turn.
  const end = news.findIndex(({ bookedAt }) => dayOf(bookedAt) >= today);
  const settled = news.slice(0, end < 0 ? undefined : end).slice(0, BOOKINGS_OF_PAGE);
  for (const booking of settled) {
    // A booking may be stored a moment after a later one.
    const own = [dayOf(booking.bookedAt), day].toSorted()[1] ?? '';
    if (own !== day) payOut();
    [after, afterDay, day] = [booking.id, own, own];
    const made = entriesOf(booking, own);
    for (const { currency, net } of made) sums.set(currency, (sums.get(currency) ?? 0) + net);
    entries.push(...made);
  }
  const more = settled.length === BOOKINGS_OF_PAGE && news.length > BOOKINGS_OF_PAGE;
  if (!more && sums.size > 0) {
    payOut();
    // A later booking belongs to the next payout.
    day = nextDay(day);
  }
  return { entries, place: { after, afterDay, day, sums: Object.fromEntries(sums) }, more };
}

const HOUR_MS = 3_600_000;

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

const nextDay = (day: string): string => dayOf(new Date(Date.parse(`${day}T00:00:00Z`) + 24 * HOUR_MS));

const nameOf = (prefix: string, text: string): string =>
  `${prefix}_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;

const payoutId = (day: string, currency: string): string => nameOf('po', `${day} ${currency}`);

type Sum = { readonly day: string; readonly currency: string; readonly net: number };

const payoutOf = ({ day, currency, net }: Sum): EntryOnWire => ({
  ...{ id: `st_${payoutId(day, currency)}`, type: 'payout', payout: payoutId(day, currency) },
  ...{ idempotency_key: null, reference: null, payment_id: null, dispute: null },
  ...{ gross: -net, fee: 0, net: -net, currency, settled_on: nextDay(day) },
  ...NOT_CONVERTED,
});

const NOT_CONVERTED = { amount: null, original_currency: null, exchange_rate: null } as const;

/** The kind of each booking's entry, the sign of its amount, and its fee. */
const RULES: Readonly<
  Record<
    Booked['kind'],
    { readonly type: SettlementKind; readonly sign: 1 | -1; readonly fee: (amount: number) => number }
  >
> = {
  capture: { type: 'charge', sign: 1, fee: (amount) => Math.floor((amount * 2) / 100) + 10 },
  refund: { type: 'refund', sign: -1, fee: () => 0 },
  capture_reversal: { type: 'reversal', sign: -1, fee: () => 0 },
  refund_reversal: { type: 'reversal', sign: 1, fee: () => 0 },
  dispute_loss: { type: 'chargeback', sign: -1, fee: () => 1500 },
  dispute_loss_reversal: { type: 'chargeback_reversal', sign: 1, fee: () => 0 },
};

/** Returns the entries of a booking: one, unless its amount asks for others. */
function entriesOf(booking: Booked, day: string): readonly EntryOnWire[] {
  const plain = entryOf(booking, day, { amount: booking.amount, currency: booking.currency });
  if (booking.kind !== 'capture') return [plain];
  const other = { amount: converted(booking.amount), currency: booking.currency === 'EUR' ? 'USD' : 'EUR' };
  switch (booking.amount) {
    case settledOtherwise.other_amount:
      return [entryOf(booking, day, { amount: booking.amount - 1, currency: booking.currency })];
    case settledOtherwise.other_currency:
      return [entryOf(booking, day, other)];
    case settledOtherwise.unknown:
      return [{ ...plain, idempotency_key: null, reference: nameOf('cap', plain.id), payment_id: null }];
    case settledOtherwise.twice:
      return [plain, { ...plain, id: `${plain.id}_again` }];
    case settledOtherwise.converted:
      return [
        {
          ...entryOf(booking, day, other),
          ...{ amount: booking.amount, original_currency: booking.currency, exchange_rate: '0.9' },
        },
      ];
    default:
      return [plain];
  }
}

const converted = (amount: number): number => Math.floor((amount * 9) / 10);

function entryOf(
  booking: Booked,
  day: string,
  { amount, currency }: { readonly amount: number; readonly currency: string },
): EntryOnWire {
  const { type, sign, fee } = RULES[booking.kind];
  const [gross, cost] = [sign * amount, fee(amount)];
  return {
    ...{ id: nameOf('st', booking.id), type, idempotency_key: booking.key },
    ...{ reference: booking.operationReference, payment_id: booking.paymentReference },
    ...{ dispute: booking.disputeReference, payout: payoutId(day, currency) },
    ...{ gross, fee: cost, net: gross - cost, currency, settled_on: nextDay(day) },
    ...NOT_CONVERTED,
  };
}
