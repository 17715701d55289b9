import type { App } from '../../../app.ts';
import type { Outcome } from '../../../connectors/interface/outcome.ts';
import { hearEnd, releaseTrial } from '../../payment-services/index.ts';
import type { AuthorizationClaim } from '../claim/claim.ts';
import { callProvider } from '../engine/run-operation.ts';
import { settle } from '../settle/settle.ts';
import type { Operated } from '../model/operation.ts';
import { prepareAuthorization } from './prepare-authorization.ts';
import { reroute } from './reroute.ts';
import { reverseRedemptions } from './split-tender/reverse.ts';

/**
 * Carries a claimed authorisation out at its payment service. After a sure refusal, tries the next service. Reverses the
 * payment's gift-card redemptions when the payment ends without success.
 */
export async function authorize(app: App, claim: AuthorizationClaim): Promise<Operated> {
  let next = await attempt(app, claim);
  while (next.kind === 'reroute') next = await attempt(app, next.claim);
  await reverseRedemptions(app, next.operated);
  return next.operated;
}

type Next =
  | { readonly kind: 'ended'; readonly operated: Operated }
  | { readonly kind: 'reroute'; readonly claim: AuthorizationClaim };

/** Prepares and calls one payment service. Settles the outcome, or claims the authorisation at the next service. */
async function attempt(app: App, claim: AuthorizationClaim): Promise<Next> {
  const prepared = await prepareAuthorization(app, claim);
  const { trial } = claim.standing;
  if (prepared.kind !== 'ready' && trial) await releaseTrial(app, trial);
  if (prepared.kind === 'ended') return prepared;
  if (prepared.kind === 'refused') return await conclude(app, prepared.claim, prepared.refusal);
  const outcome = await callProvider(app, prepared.claim);
  const next = await conclude(app, prepared.claim, outcome);
  const { merchantAccountId, paymentServiceId } = claim.operation;
  await hearEnd(app, { merchantAccountId, paymentServiceId, standing: claim.standing, outcome });
  return next;
}

async function conclude(app: App, claim: AuthorizationClaim, outcome: Outcome): Promise<Next> {
  const rerouted = await reroute(app, claim, outcome);
  if (rerouted) return { kind: 'reroute', claim: rerouted };
  return { kind: 'ended', operated: await settle(app, claim, outcome) };
}
