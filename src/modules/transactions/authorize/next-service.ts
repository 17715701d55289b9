import type { App } from '../../../app.ts';
import { isRetriableDecline } from '../../../connectors/codes/decline-codes.ts';
import type { Outcome } from '../../../connectors/interface/outcome.ts';
import { arrange, decideNext, type RoutingDecision, type Ruling } from '../../routing/index.ts';
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

/** Chooses the next service, by the version that decided about the first attempt. Null when the payment ends here. */
export function chooseNext(app: App, claim: AuthorizationClaim, refusal: Refusal): NextService | null {
  const { transaction, ruling, connection } = claim;
  const able = claim.alternatives.filter(
    (service) => isEnoughFor(transaction.threeDSecure, service) && canHold(app, transaction, service),
  );
  const { kind: outcome, errorCode } = refusal;
  const decided = ruling && decideNext(ruling, { outcome, errorCode, paymentServiceId: connection.id });
  const [next] = decided ? arrange(decided.route, able) : able;
  if (!next) return null;
  const { routing } = transaction;
  return {
    next,
    alternatives: able.filter((each) => each !== next),
    ruling: decided && decided.ruling,
    routing: routing && decided && { ...routing, retries: [...(routing.retries ?? []), decided.retry] },
  };
}
