import type { App } from '../../app.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { isChallenged, refusalOf } from './authentication/three-d-secure.ts';
import { giveBack, redeemGiftCards } from './gift-cards/redeem.ts';
import { reroute } from './reroute.ts';
import type { Outcome } from '../../connectors/connector.ts';
import { send, type Claim } from './send.ts';
import { settle, type Operated } from './settle.ts';

/**
 * Calls the provider with no transaction open, and settles with what it said. A sure refusal of an authorisation that may
 * be tried elsewhere is settled by the claim at the next service, which is then called. Nobody is called for a payment whose
 * buyer is being challenged, which stays as it is claimed, or was not authenticated, which ends as declined. Gift cards are
 * redeemed before the payment method's provider is called, and given back when the payment does not succeed.
 */
export async function carryOut(app: App, claim: Claim): Promise<Operated> {
  const { kind, unsent } = claim.operation;
  if (unsent && isChallenged(claim.transaction.threeDSecure)) return heldBack(app, claim);
  const refusal = kind === 'authorize' ? refusalOf(claim.transaction.threeDSecure) : null;
  if (refusal) {
    await failpoint('authentication.refused');
    return settle(app, claim, refusal);
  }
  const redeemed = await redeemGiftCards(app, claim, carryOut);
  const stands = 'claim' in redeemed ? await call(app, redeemed.claim) : redeemed.stands;
  await giveBack(app, stands, carryOut);
  return stands;
}

async function call(app: App, claim: Claim): Promise<Operated> {
  const { kind } = claim.operation;
  await failpoint(`${kind}.claimed`);
  const outcome = firstSaid(await send(app, claim));
  await failpoint(`${kind}.called`);
  const next = await reroute(app, claim, outcome);
  return next ? carryOut(app, next) : settle(app, claim, outcome);
}

async function heldBack(app: App, claim: Claim): Promise<Operated> {
  app.wakeRelay();
  await failpoint('authentication.waiting');
  return claim;
}

/** What an operation's first request that never left means: it has surely failed, for there is no other one of its key. */
const firstSaid = (outcome: Outcome): Outcome =>
  outcome.kind === 'unknown' && outcome.sent === false ? NOT_SENT : outcome;

const NOT_SENT: Outcome = {
  kind: 'failed',
  reference: null,
  errorCode: 'service_network_error',
  rawResponseCode: null,
  rawResponseDescription: null,
};
