import type { App } from '../../../app.ts';
import type { Hold } from '../hold/hold.ts';
import { proofOf, type Proof } from './proof.ts';
import { sweepPayment } from './sweep-payment.ts';
import { changedPayments, paymentsToProve, type Sweep, type SweptPayment } from './sweeps.sql.ts';

/** The looks of one round, and the progress after them. */
type Proved = { readonly proof: Proof; readonly looks: number; readonly isSilent: boolean };

/** The most that the clocks of two processes differ. A change of this age is surely committed. */
const CLOCKS_MS = 60_000;

/**
 * Compares the next payments after a restore with their provider, whatever their ages. Each operation since the backup is
 * stored like a webhook of the provider. Stops at the limit, and at a provider without an answer.
 *
 * The newest payments come first. Payments that change during the hold follow, because an earlier look may have met them
 * undecided.
 */
export async function prove(
  app: App,
  sweep: Sweep,
  { hold, limit }: { readonly hold: Hold; readonly limit: number },
): Promise<Proved> {
  let proof = proofOf(sweep.proof, hold);
  let looks = 0;
  const since = hold.paymentsSince;
  if (!proof.isDone) {
    const payments = await paymentsToProve(app.db, sweep, proof.place, { since, limit });
    const first = await compareEach(app, sweep, { proof, payments }, ({ id, createdAt }) => ({
      place: { at: createdAt.toISOString(), id },
    }));
    if (first.isSilent) return { ...first, looks: limit };
    proof = { ...first.proof, isDone: payments.length < limit };
    looks = payments.length;
  }
  if (!proof.isDone || looks === limit) return { proof, looks, isSilent: false };
  const until = new Date(app.clock.now().getTime() - CLOCKS_MS);
  const bounds = { since, until, limit: limit - looks };
  const payments = await changedPayments(app.db, sweep, proof.changed, bounds);
  const second = await compareEach(app, sweep, { proof, payments }, ({ id, updatedAt }) => ({
    changed: { at: updatedAt.toISOString(), id },
  }));
  return { ...second, looks: looks + payments.length };
}

type Next = { readonly proof: Proof; readonly payments: readonly SweptPayment[] };

/** Compares payments in their order, and moves the place behind each. */
async function compareEach(
  app: App,
  { paymentServiceId }: Sweep,
  next: Next,
  placeOf: (payment: SweptPayment['transaction']) => Partial<Proof>,
): Promise<Omit<Proved, 'looks'>> {
  let { proof } = next;
  for (const payment of next.payments) {
    const look = await sweepPayment(app, paymentServiceId, payment, { isHeld: true });
    if (look === 'silent') return { proof, isSilent: true };
    const counted = look === 'untold' ? { untold: proof.untold + 1 } : { compared: proof.compared + 1 };
    proof = { ...proof, ...counted, ...placeOf(payment.transaction) };
  }
  return { proof, isSilent: false };
}
