import type { App } from '../../../app.ts';
import type { Hold } from '../hold/hold.ts';
import { compareEach, isAway, type Tally } from './compare-each.ts';
import { AGES_MS, placeAt, triesOfRound } from './passes.ts';
import { proofOf } from './proof.ts';
import { counted, prove } from './prove.ts';
import { nextPayments, type Sweep } from './store/sweeps.sql.ts';
import { unansweredPayments } from './store/unanswered.sql.ts';

type Bounds = { readonly limit: number; readonly hold: Hold | null };

/** The progress of a payment service. */
type Progress = Pick<Sweep, 'places' | 'proof'>;

/**
 * Compares the next payments of a payment service, at most `limit`. Payments without an answer so far come last, with a part of
 * the looks for themselves. A provider that is away is not asked about them, so that no try is lost.
 *
 * `isAway` is true in these cases:
 *
 * - The provider gave no answer to several looks in a row before these payments.
 * - The provider gave no answer in the whole round.
 */
export async function sweepRound(
  app: App,
  sweep: Sweep,
  { limit, hold }: Bounds,
): Promise<Progress & { readonly isAway: boolean }> {
  const tally: Tally = { looks: 0, answers: 0, looked: new Set(), silences: 0 };
  const now = app.clock.now();
  const due = await unansweredPayments(app.db, sweep, { now, limit });
  const kept = Math.min(due.length, triesOfRound(limit, now));
  const { places, proof } = await goOn(app, sweep, { limit: limit - kept, hold, tally });
  if (isAway(tally)) return { places, proof, isAway: true };
  const others = due.filter(({ transaction: { id } }) => !tally.looked.has(id));
  const again = await compareEach(app, sweep, others.slice(0, limit - tally.looks), { hold, tally });
  return {
    places,
    proof: proof && hold ? counted(proof, again) : proof,
    isAway: tally.looks > 0 && tally.answers === 0,
  };
}

type Going = Bounds & { readonly tally: Tally };

/** Compares the next payments. After a restore, the payments that nobody has compared since then come first. */
async function goOn(app: App, sweep: Sweep, going: Going): Promise<Progress> {
  const { limit, hold, tally } = going;
  const proof = hold
    ? await prove(app, sweep, { hold, limit, tally, proof: proofOf(sweep.proof, hold) })
    : sweep.proof;
  if (isAway(tally) || tally.looks === limit) return { places: sweep.places, proof };
  return { places: await compareByAge(app, sweep, going), proof };
}

/** Compares the next payments, the youngest age first. Stops at the limit, and at a provider that is away. Returns the places. */
async function compareByAge(app: App, sweep: Sweep, { limit, hold, tally }: Going): Promise<Sweep['places']> {
  const places = [...sweep.places];
  for (const [index, ageMs] of AGES_MS.entries()) {
    const now = app.clock.now();
    const bounds = { until: new Date(now.getTime() - ageMs), limit: limit - tally.looks };
    const payments = await nextPayments(app.db, sweep, places[index] ?? placeAt(now, ageMs), bounds);
    const { last } = await compareEach(app, sweep, payments, { hold, tally });
    if (last) places[index] = { at: last.createdAt.toISOString(), id: last.id };
    if (isAway(tally) || tally.looks === limit) return places;
    places[index] = placeAt(now, ageMs);
  }
  return places;
}
