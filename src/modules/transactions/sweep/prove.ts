import type { App } from '../../../app.ts';
import type { Hold } from '../hold/hold.ts';
import { compareEach, isAway, type Looks, type Tally } from './compare-each.ts';
import type { Proof } from './proof.ts';
import { changedPayments, paymentsToProve, type Sweep } from './store/sweeps.sql.ts';

/** The comparison of one round. */
type Proving = {
  readonly hold: Hold;
  readonly limit: number;
  readonly tally: Tally;
  /** The progress before. */
  readonly proof: Proof;
};

/** The most that the clocks of two processes differ. A change of this age is surely committed. */
const CLOCKS_MS = 60_000;

/**
 * Compares the next payments after a restore with their provider, whatever their ages. Each operation since the backup is
 * stored like a webhook of the provider. Stops at the limit, and at a provider that is away. Returns the progress.
 *
 * The newest payments come first. Payments that change during the hold follow, because an earlier look may have met them
 * undecided.
 */
export async function prove(app: App, sweep: Sweep, proving: Proving): Promise<Proof> {
  const { hold, limit, tally } = proving;
  const proof = proving.proof.isDone ? proving.proof : await proveNewest(app, sweep, proving);
  if (!proof.isDone || tally.looks === limit || isAway(tally)) return proof;
  const until = new Date(app.clock.now().getTime() - CLOCKS_MS);
  const bounds = { since: hold.paymentsSince, until, limit: limit - tally.looks };
  const payments = await changedPayments(app.db, sweep, proof.changed, bounds);
  const second = await compareEach(app, sweep, payments, { hold, tally });
  const { last } = second;
  const changed = last ? { at: last.updatedAt.toISOString(), id: last.id } : proof.changed;
  return { ...counted(proof, second), changed };
}

async function proveNewest(app: App, sweep: Sweep, { hold, limit, tally, proof }: Proving): Promise<Proof> {
  const bounds = { since: hold.paymentsSince, limit };
  const payments = await paymentsToProve(app.db, sweep, proof.place, bounds);
  const found = await compareEach(app, sweep, payments, { hold, tally });
  const { last, looks } = found;
  const place = last ? { at: last.createdAt.toISOString(), id: last.id } : proof.place;
  const isDone = payments.length < limit && looks === payments.length;
  return { ...counted(proof, found), place, isDone };
}

/** Adds the answers of some looks to the progress. */
export const counted = (proof: Proof, { compared, untold }: Pick<Looks, 'compared' | 'untold'>): Proof => ({
  ...proof,
  compared: proof.compared + compared,
  untold: proof.untold + untold,
});
