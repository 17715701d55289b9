import { environmentOf } from '../../../platform/process/config.ts';
import type { App } from '../../../app.ts';
import type { Outcome } from '../../../connectors/interface/outcome.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { chooseNext, goesOn, type NextService, type Refusal } from './next-service.ts';
import { authenticate } from './three-d-secure/authenticate.ts';
import { orHeld } from '../hold/held-back.ts';
import type { AuthorizationClaim } from '../claim/claim.ts';
import type { State } from '../settle/changes.ts';
import { historyOf } from '../settle/outcome-records.ts';
import { mutationOf } from '../model/operation.ts';
import { providerKeysAt } from '../model/provider-keys.ts';
import { leaseOf, releaseTrial } from '../../payment-services/index.ts';
import { needsToken, tokenAt } from '../instrument/provider-token.ts';
import { meansOf, sealMeans } from '../instrument/sealed-means.ts';
import { rerouteAuthorization } from './reroute.sql.ts';

/**
 * Claims a refused authorisation at the next service. Authenticates the buyer first, if that service has 3-D Secure and the
 * buyer is not authenticated yet. Null when the payment ends here.
 *
 * - A technical failure that surely had no effect is rerouted.
 * - A decline is rerouted only with a retriable code.
 * - An operation that was ever unknown or accepted is never rerouted.
 * - A service that cannot hold the payment for its review is passed over.
 * - The merchant's own rules order the services that are left, or end the payment.
 * - A service with an open circuit comes after the others, unless this payment tries the service again.
 * - Nothing is rerouted while payments are held back after a restore.
 *
 * Commits once: the refused operation ended and the next one pending. After a crash reconciliation takes the next one up.
 */
export async function reroute(
  app: App,
  claim: AuthorizationClaim,
  outcome: Outcome,
): Promise<AuthorizationClaim | null> {
  if (!goesOn(claim, outcome)) return null;
  const chosen = await chooseNext(app, claim, outcome);
  if (!chosen) return null;
  const moved = await moveTo(app, claim, outcome, chosen);
  const { trial } = chosen.standing;
  if (!moved && trial) await releaseTrial(app, trial);
  return moved;
}

/** Claims the authorisation at the chosen service. Null when the payment cannot go there any more. */
async function moveTo(
  app: App,
  claim: AuthorizationClaim,
  outcome: Refusal,
  chosen: NextService,
): Promise<AuthorizationClaim | null> {
  const { next, alternatives, ruling, standing } = chosen;
  const { operation, transaction, card } = claim;
  const now = app.clock.now();
  const operationId = app.ids.uuid();
  const { merchantAccountId } = operation;
  const token = await tokenAt(app, transaction, next.id);
  // The stored payment method was deleted meanwhile, so the next service has no token.
  if (token === null && needsToken(app, transaction, next)) return null;
  const means = { ...meansOf(claim, token), terms: next.terms };
  const sealedCard = await sealMeans(app.vault, merchantAccountId, operationId, means);
  const { id: transactionId } = transaction;
  const { challengeExpiresAt } = next;
  const payment = {
    merchantAccountId,
    transactionId,
    operationId,
    card,
    details: transaction,
    challengeExpiresAt,
    merchantProfile: next.terms.merchantProfile,
  };
  const authentication = await authenticate(app, next, payment);
  await failpoint('authorize.rerouting');
  const rerouted = rerouteAuthorization(app.db, {
    operation,
    outcome,
    mutation: mutationOf.authorize,
    history: historyOf(refused(claim, outcome), outcome.kind, app.ids.uuid()),
    environment: environmentOf(app.config),
    now,
    next: {
      operationId,
      paymentServiceId: next.id,
      providerKeys: await providerKeysAt(app, operation, next.id),
      ...{ routing: chosen.routing, circuits: chosen.circuits },
      choice: outcome.kind === 'declined' ? 'after_decline' : 'after_failure',
      tokenizes: transaction.store && next.paymentMethodTokenizationEnabled,
      sealedCard,
      leaseUntil: leaseOf(app, now),
      approvalExpiresAt: next.approvalExpiresAt,
      authentication,
    },
  });
  const moved = await orHeld(rerouted);
  await failpoint('authorize.rerouted');
  const claimed = { ...means, connection: next, authorizationKey: null, alternatives, ruling, standing };
  return moved && { ...moved, ...claimed };
}

/** The state as the refusal leaves it, for its history entry. */
const refused = (
  { operation, transaction, connection: service }: AuthorizationClaim,
  outcome: Refusal,
): State => ({
  transaction,
  operation: {
    ...operation,
    status: outcome.kind,
    providerReference: outcome.reference ?? operation.providerReference,
    errorCode: outcome.errorCode,
    rawResponseCode: outcome.rawResponseCode,
    rawResponseDescription: outcome.rawResponseDescription,
  },
  service,
});
