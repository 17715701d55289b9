import type { App } from '../../../app.ts';
import type { Outcome } from '../../../connectors/outcome.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { canHold } from './anti-fraud/hold.ts';
import { authenticate } from './three-d-secure/authenticate.ts';
import { isEnoughFor } from '../model/three-d-secure.ts';
import type { State } from '../engine/changes.ts';
import { historyOf } from '../engine/outcome-records.ts';
import type { Claim } from '../engine/send.ts';
import { mutationOf } from '../model/operation.ts';
import type { FinalOutcome } from '../model/outcome.ts';
import { isRetriableDecline, skipsRetry } from '../model/retriable.ts';
import { leaseOf } from '../engine/schedule.ts';
import { tokenAt } from '../instrument/provider-token.ts';
import { sealMeans } from '../instrument/sealed-card.ts';
import { rerouteAuthorization } from './reroute.sql.ts';

type Refusal = Extract<FinalOutcome, { readonly kind: 'declined' | 'failed' }>;

/**
 * Claims a refused authorisation at the next service, for which the buyer is authenticated if that has not been done and it has
 * 3DS; null when it ends here. One that cannot hold a payment for its review is passed over. A technical failure that surely had no
 * effect goes on; a decline only with a retriable code (facts 7.3); what was ever unknown or taken on never does.
 * Commits once: the refused operation ended and the next one pending. A crash after that leaves the next one to
 * reconciliation.
 */
export async function reroute(app: App, claim: Claim, outcome: Outcome): Promise<Claim | null> {
  const [next, ...alternatives] = claim.alternatives.filter(
    (service) =>
      isEnoughFor(claim.transaction.threeDSecure, service) && canHold(app, claim.transaction, service),
  );
  if (!next || !goesOn(claim, outcome)) return null;
  const { operation, transaction, card } = claim;
  const now = app.clock.now();
  const operationId = app.ids.uuid();
  const { merchantAccountId } = operation;
  const token = await tokenAt(app, transaction, next.id);
  // Deleted since, so that nothing is left that the next service knows.
  if (token === null && transaction.instrumentType === 'redirect_token') return null;
  const sealedCard = await sealMeans(app.vault, merchantAccountId, operationId, { card, token });
  const { id: transactionId } = transaction;
  const { challengeExpiresAt } = next;
  const payment = {
    merchantAccountId,
    transactionId,
    operationId,
    card,
    details: transaction,
    challengeExpiresAt,
  };
  const begun = await authenticate(app, next, payment);
  await failpoint('authorize.rerouting');
  const moved = await rerouteAuthorization(app.db, {
    operation,
    outcome,
    mutation: mutationOf.authorize,
    history: historyOf(refused(claim, outcome), outcome.kind, app.ids.uuid()),
    environment: app.config.production ? 'production' : 'sandbox',
    now,
    next: {
      operationId,
      paymentServiceId: next.id,
      choice: outcome.kind === 'declined' ? 'after_decline' : 'after_failure',
      sealedCard,
      leaseUntil: leaseOf(app, now),
      approvalExpiresAt: next.approvalExpiresAt,
      begun,
    },
  });
  await failpoint('authorize.rerouted');
  return moved && { ...moved, card, token, connection: next, authorizationKey: null, alternatives };
}

function goesOn({ operation, transaction, connection }: Claim, outcome: Outcome): outcome is Refusal {
  if (operation.kind !== 'authorize' || operation.unknownAt || operation.acceptedAt) return false;
  if (skipsRetry(transaction.connectionOptions, connection.definitionId)) return false;
  return outcome.kind === 'failed' || (outcome.kind === 'declined' && isRetriableDecline(outcome.errorCode));
}

/** The state as the refusal leaves it, for its history entry. */
const refused = ({ operation, transaction, connection: service }: Claim, outcome: Refusal): State => ({
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
