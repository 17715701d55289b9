import type { App } from '../../../app.ts';
import type { Hold } from '../hold/hold.ts';
import { compareEach, type Looks } from './compare-each.ts';
import type { Proof } from './proof.ts';
import { changedPayments, paymentsToProve, type Sweep } from './sweeps.sql.ts';

/** The looks of one round, and the progress after them. */
export type Proved = { readonly proof: Proof } & Pick<Looks, 'looks' | 'isAway'>;

/** The most that the clocks of two processes differ. A change of this age is surely committed. */
const CLOCKS_MS = 60_000;

/**
 * Compares the next payments after a restore with their provider, whatever their ages. Each operation since the backup is
 * stored like a webhook of the provider. Stops at the limit, and at a provider that is away.
 *
 * The newest payments come first. Payments that change during the hold follow, because an earlier look may have met them
 * undecided.
 */
export async function prove(
  app: App,
  sweep: Sweep,
  { hold, limit, proof: former }: { readonly hold: Hold; readonly limit: number; readonly proof: Proof },
): Promise<Proved> {
  const first = former.isDone
    ? { proof: former, looks: 0, isAway: false }
    : await proveNewest(app, sweep, { hold, limit, proof: former });
  const { proof, looks, isAway } = first;
  if (!proof.isDone || looks === limit || isAway) return first;
  const until = new Date(app.clock.now().getTime() - CLOCKS_MS);
  const bounds = { since: hold.paymentsSince, until, limit: limit - looks };
  const payments = await changedPayments(app.db, sweep, proof.changed, bounds);
  const second = await compareEach(app, sweep, payments, { hold });
  const { last } = second;
  const changed = last ? { at: last.updatedAt.toISOString(), id: last.id } : proof.changed;
  return { ...second, proof: { ...counted(proof, second), changed }, looks: looks + second.looks };
}

async function proveNewest(
  app: App,
  sweep: Sweep,
  { hold, limit, proof }: { readonly hold: Hold; readonly limit: number; readonly proof: Proof },
): Promise<Proved> {
  const bounds = { since: hold.paymentsSince, limit };
  const payments = await paymentsToProve(app.db, sweep, proof.place, bounds);
  const found = await compareEach(app, sweep, payments, { hold });
  const { last, looks, isAway } = found;
  const place = last ? { at: last.createdAt.toISOString(), id: last.id } : proof.place;
  const isDone = payments.length < limit && looks === payments.length;
  return { proof: { ...counted(proof, found), place, isDone }, looks, isAway };
}

/** Adds the answers of some looks to the progress. */
export const counted = (proof: Proof, { compared, untold }: Pick<Looks, 'compared' | 'untold'>): Proof => ({
  ...proof,
  compared: proof.compared + compared,
  untold: proof.untold + untold,
});
