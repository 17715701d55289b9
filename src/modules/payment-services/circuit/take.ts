import type { App } from '../../../app.ts';
import type { Circuit } from './circuit.ts';
import { decisionAfter, type CircuitDecision } from './decision.ts';
import type { Standing } from './hear.ts';
import { orderByCircuits } from './order.ts';
import { claimTrial } from './trial.ts';

/** The service that an attempt asks, with the effect of circuits on the payment. */
export type Taken<Service> = {
  readonly service: Service;
  readonly standing: Standing;
  /** Null if no circuit had an effect on this attempt or one before. */
  readonly circuits: CircuitDecision | null;
};

/**
 * Takes the service that an attempt asks from the services that the attempt may ask, best first. The first service without an open
 * circuit is taken. Before it comes a service whose time to be tried again has come, if this payment gets the trial. Null without a
 * service.
 *
 * Only a payment that may have a trial takes a statement. The caller ends the trial, or frees it.
 */
export async function takeService<Service extends { readonly id: string; readonly circuit: Circuit | null }>(
  app: App,
  services: readonly Service[],
  before: CircuitDecision | null,
): Promise<Taken<Service> | null> {
  const { ordered, due } = orderByCircuits(services, app.clock.now());
  const [first] = ordered;
  if (!first) return null;
  const trial = due?.circuit ? await claimTrial(app, due.circuit) : null;
  const service = trial && due ? due : first;
  const tried = trial ? service.id : null;
  return {
    service,
    standing: { circuit: service.circuit, trial },
    circuits: decisionAfter(before, { services, tried }),
  };
}
