import type { App } from '../../../app.ts';
import { isRetriableDecline } from '../../../connectors/codes/decline-codes.ts';
import type { Outcome } from '../../../connectors/interface/outcome.ts';
import { arrange, decideNext, type RoutingDecision, type Ruling } from '../../routing/index.ts';
import { takeService, type CircuitDecision, type Standing } from '../../payment-services/index.ts';
import type { Alternative, AuthorizationClaim } from '../claim/claim.ts';
import type { FinalOutcome } from '../model/outcome.ts';
import { skipsRetry } from '../model/retriable.ts';
import { isEnoughFor } from '../model/three-d-secure.ts';
import { canHold } from './anti-fraud/hold.ts';

export type Refusal = Extract<FinalOutcome, { readonly kind: 'declined' | 'failed' }>;

/** The service that a refused payment asks next. */
export type NextService = {
  readonly next: Alternative;
  /** The services that remain after it. */
  readonly alternatives: readonly Alternative[];
  readonly ruling: Ruling | null;
  /** The decisions about all attempts up to the next one. Null without rules. */
  readonly routing: RoutingDecision | null;
  /** The circuit of the next service, and the trial that the payment has there. */
  readonly standing: Standing;
  /** The effect of circuits on all attempts up to the next one. Null without one. */
  readonly circuits: CircuitDecision | null;
};

/** Tells whether a payment may go on after an outcome. The merchant's own rules can only forbid more. */
export function goesOn(
  { operation, transaction, connection }: AuthorizationClaim,
  outcome: Outcome,
): outcome is Refusal {
  if (operation.unknownAt || operation.acceptedAt) return false;
  if (skipsRetry(transaction.connectionOptions, connection.definitionId)) return false;
  return outcome.kind === 'failed' || (outcome.kind === 'declined' && isRetriableDecline(outcome.errorCode));
}

/**
 * Chooses the next service, by the version that decided about the first attempt and by the circuits. Null when the payment ends
 * here. A trial that comes with the service is freed by the caller, if the payment does not go there.
 */
export async function chooseNext(
  app: App,
  claim: AuthorizationClaim,
  refusal: Refusal,
): Promise<NextService | null> {
  const { transaction, ruling, connection } = claim;
  const able = claim.alternatives.filter(
    (service) => isEnoughFor(transaction.threeDSecure, service) && canHold(app, transaction, service),
  );
  const { kind: outcome, errorCode } = refusal;
  const decided = ruling && decideNext(ruling, { outcome, errorCode, paymentServiceId: connection.id });
  const services = decided ? arrange(decided.route, able) : able;
  const taken = await takeService(app, services, transaction.circuits);
  if (!taken) return null;
  const { service: next, standing, circuits } = taken;
  const { routing } = transaction;
  return {
    ...{ next, standing, circuits },
    alternatives: able.filter((each) => each !== next),
    ruling: decided && decided.ruling,
    routing: routing && decided && { ...routing, retries: [...(routing.retries ?? []), decided.retry] },
  };
}
