import { z } from 'zod';
import type { SettlementPage } from '../../door.ts';

/**
 * A place in the balance. Stripe lists the newest entry first, so a stretch of time is read from its end to its beginning.
 * Times are unix seconds.
 *
 * An entry is paid out days after it appears. So the entries of each payout are read once more, with the name of the payout.
 */
export type Place = {
  readonly from: number;
  /** The end of the stretch, itself outside. Null before a stretch is begun. */
  readonly to: number | null;
  /** The last entry that was read of the stretch. */
  readonly after: string | null;
  /** The payouts whose entries are read next, before the rest of the stretch. */
  readonly payouts: readonly string[];
  /** The last entry that was read of the first of these payouts. Null before its first page. */
  readonly paidAfter: string | null;
  /** The payouts that Stripe has not reconciled yet. The next fetch asks again. */
  readonly waiting: readonly string[];
  /** The latest payouts that were read. Stretches overlap, so that a payout appears in several. */
  readonly done: readonly string[];
};

/** More payouts than an account has in the time between two fetches. The cursor has room for these. */
const PAYOUTS_MAX = 60;
const KEPT_MAX = 20;

/** Returns the place before the first stretch. */
export const placeAt = (from: number): Place => ({
  ...{ from, to: null, after: null },
  ...{ payouts: [], paidAfter: null, waiting: [], done: [] },
});

/** Adds payouts whose entries are to be read. Leaves out those that are known. */
export function withPayouts(place: Place, found: readonly string[]): Place {
  const known = new Set([...place.payouts, ...place.waiting, ...place.done]);
  const fresh = found.filter((id) => !known.has(id));
  return { ...place, payouts: [...place.payouts, ...fresh].slice(0, PAYOUTS_MAX) };
}

/** Takes the first payout from the list, because its entries were read, or because it has to wait. */
export function withoutPayout(place: Place, to: 'done' | 'waiting'): Place {
  const [first = '', ...payouts] = place.payouts;
  return { ...place, payouts, paidAfter: null, [to]: [...place[to], first].slice(-KEPT_MAX) };
}

export const pageAt = (
  { entries, unreadable }: Pick<SettlementPage, 'entries' | 'unreadable'>,
  place: Place,
  more: boolean,
): SettlementPage => ({
  ...{ kind: 'page', entries, ...(unreadable && { unreadable }), more },
  cursor: JSON.stringify(place),
});

/** Reads the place of a cursor. Throws if the cursor is not one of ours. */
export const placeOf = (cursor: string): Place => placeSchema.parse(JSON.parse(cursor));

const ids = z.array(z.string()).default([]);

/** A cursor from before the payouts has none. */
const placeSchema = z.object({
  ...{ from: z.int(), to: z.int().nullable(), after: z.string().nullable() },
  ...{ payouts: ids, paidAfter: z.string().nullable().default(null), waiting: ids, done: ids },
});
