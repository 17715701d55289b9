import type { App } from '../../../app.ts';
import type { Hold } from '../hold/hold.ts';
import { proofOf, type Proof } from './proof.ts';
import { sweepPayment } from './sweep-payment.ts';
import { paymentsToProve, type Sweep } from './sweeps.sql.ts';

/** The looks of one round, and the progress after them. */
type Proved = { readonly proof: Proof; readonly looks: number; readonly isSilent: boolean };

/**
 * Compares the next payments after a restore with their provider, whatever their ages. Each operation since the backup is
 * stored like a webhook of the provider. Stops at the limit, and at a provider without an answer.
 */
export async function prove(
  app: App,
  sweep: Sweep,
  { hold, limit }: { readonly hold: Hold; readonly limit: number },
): Promise<Proved> {
  let proof = proofOf(sweep.proof, hold);
  if (proof.isDone) return { proof, looks: 0, isSilent: false };
  const bounds = { since: hold.paymentsSince, limit };
  const payments = await paymentsToProve(app.db, sweep, proof.place, bounds);
  for (const payment of payments) {
    const look = await sweepPayment(app, sweep.paymentServiceId, payment, { isHeld: true });
    if (look === 'silent') return { proof, looks: limit, isSilent: true };
    const { id, createdAt } = payment.transaction;
    const counted = look === 'untold' ? { untold: proof.untold + 1 } : { compared: proof.compared + 1 };
    proof = { ...proof, ...counted, place: { at: createdAt.toISOString(), id } };
  }
  return { proof: { ...proof, isDone: payments.length < limit }, looks: payments.length, isSilent: false };
}
