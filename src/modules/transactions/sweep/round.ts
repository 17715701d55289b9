import type { App } from '../../../app.ts';
import type { Hold } from '../hold/hold.ts';
import { compareEach, type Looks } from './compare-each.ts';
import { AGES_MS, placeAt, triesOfRound } from './passes.ts';
import { proofOf } from './proof.ts';
import { counted, prove } from './prove.ts';
import { nextPayments, type Sweep } from './sweeps.sql.ts';
import { unansweredPayments } from './unanswered.sql.ts';

type Bounds = { readonly limit: number; readonly hold: Hold | null };

/** The progress of a payment service after some looks. */
type Round = Pick<Sweep, 'places' | 'proof'> & Pick<Looks, 'looks' | 'isAway'>;

/**
 * Compares the next payments of a payment service, at most `limit`. Payments without an answer so far come last, with a part of
 * the looks for themselves. A provider that is away is not asked about them, so that no try is lost.
 */
export async function sweepRound(app: App, sweep: Sweep, { limit, hold }: Bounds): Promise<Round> {
  const due = await unansweredPayments(app.db, sweep, { now: app.clock.now(), limit });
  const kept = Math.min(due.length, triesOfRound(limit));
  const round = await goOn(app, sweep, { limit: limit - kept, hold });
  if (round.isAway) return round;
  const { looks, places, proof } = round;
  const again = await compareEach(app, sweep, due.slice(0, limit - looks), { hold });
  return {
    places,
    proof: proof && hold ? counted(proof, again) : proof,
    looks: looks + again.looks,
    isAway: looks === 0 && again.isAway,
  };
}

/** Compares the next payments. After a restore, the payments that nobody has compared since then come first. */
async function goOn(app: App, sweep: Sweep, { limit, hold }: Bounds): Promise<Round> {
  if (!hold) return { ...(await compareByAge(app, sweep, { limit, hold })), proof: sweep.proof };
  const proved = await prove(app, sweep, { hold, limit, proof: proofOf(sweep.proof, hold) });
  const { proof, looks, isAway } = proved;
  if (isAway || looks === limit) return { places: sweep.places, ...proved };
  const rest = await compareByAge(app, sweep, { limit: limit - looks, hold });
  return { ...rest, proof, looks: looks + rest.looks };
}

/** Compares the next payments, the youngest age first. Stops at the limit, and at a provider that is away. */
async function compareByAge(app: App, sweep: Sweep, { limit, hold }: Bounds): Promise<Omit<Round, 'proof'>> {
  const places = [...sweep.places];
  let looks = 0;
  for (const [index, ageMs] of AGES_MS.entries()) {
    const now = app.clock.now();
    const bounds = { until: new Date(now.getTime() - ageMs), limit: limit - looks };
    const payments = await nextPayments(app.db, sweep, places[index] ?? placeAt(now, ageMs), bounds);
    const found = await compareEach(app, sweep, payments, { hold });
    looks += found.looks;
    const { last, isAway } = found;
    if (last) places[index] = { at: last.createdAt.toISOString(), id: last.id };
    if (isAway || looks === limit) return { places, looks, isAway };
    places[index] = placeAt(now, ageMs);
  }
  return { places, looks, isAway: false };
}
