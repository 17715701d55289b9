import type { App } from '../../../app.ts';
import { leaseOf } from '../connection/call-lease.ts';
import { beginTrial, giveUpTrial, type Circuit } from './circuit.ts';
import { replaceCircuit } from './circuits.sql.ts';

/** A circuit during a trial. Only the payment that has the trial ends it. */
export type Trial = Circuit;

/**
 * Claims the trial of a service whose time has come. Null if another payment has the trial, or the circuit has closed. Commits once.
 * After a crash the trial is free again when its lease ends. The lease outlasts every call to a provider.
 */
export async function claimTrial(app: App, circuit: Circuit): Promise<Trial | null> {
  const trial = beginTrial(circuit, leaseOf(app, app.clock.now()));
  return (await replaceCircuit(app.db, circuit, trial)) ? trial : null;
}

/**
 * Frees a trial whose payment asks no provider now. A failure to do so is logged: the lease frees the trial as well.
 */
export async function releaseTrial(app: App, trial: Trial): Promise<void> {
  try {
    await replaceCircuit(app.db, trial, giveUpTrial(trial, app.clock.now()));
  } catch (error) {
    const { paymentServiceId } = trial;
    app.log.error({ paymentServiceId, err: error }, 'The trial of a payment service could not be freed.');
  }
}
