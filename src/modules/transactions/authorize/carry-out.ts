import type { App } from '../../../app.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { refusalToHold } from './anti-fraud/hold.ts';
import { judge } from './anti-fraud/screen.ts';
import { isChallenged, refusalOf } from '../model/three-d-secure.ts';
import { giveBack, redeemGiftCards, type Ready } from './split-tender/redeem.ts';
import { reroute } from './reroute.ts';
import type { Outcome } from '../../../connectors/outcome.ts';
import { send, type Claim } from '../engine/send.ts';
import { leaseOf } from '../engine/schedule.ts';
import { current, settle } from '../engine/settle.ts';
import type { Operated } from '../model/operation.ts';
import { noteSent } from '../engine/leases.sql.ts';

/**
 * Calls the provider with no transaction open, and settles with what it said. A sure refusal of an authorisation that may
 * be tried elsewhere is settled by the claim at the next service, which is then called. Nobody is called for a payment whose
 * buyer is being challenged, which stays as it is claimed, or was not authenticated, which ends as declined. Then it is judged,
 * and ends as declined when it is rejected. Gift cards are redeemed after that and before the payment method's provider is
 * called, and given back when the payment does not succeed.
 */
export async function carryOut(app: App, claim: Claim): Promise<Operated> {
  const { kind, unsent } = claim.operation;
  if (unsent && isChallenged(claim.transaction.threeDSecure)) return heldBack(app, claim);
  const refusal = kind === 'authorize' ? refusalOf(claim.transaction.threeDSecure) : null;
  if (refusal) {
    await failpoint('authentication.refused');
    return settle(app, claim, refusal);
  }
  const ready = await makeReady(app, claim);
  const stands = 'claim' in ready ? await call(app, ready.claim) : ready.stands;
  await giveBack(app, stands, carryOut);
  return stands;
}

/** What comes before an authorisation that is held back is sent; whatever is not held back is ready. */
async function makeReady(app: App, claim: Claim): Promise<Ready> {
  const judged = await judge(app, claim);
  if ('stands' in judged) return judged;
  const refusal = refusalToHold(app, judged.claim);
  if (refusal) {
    const next = await reroute(app, judged.claim, refusal);
    return { stands: await (next ? carryOut(app, next) : settle(app, judged.claim, refusal)) };
  }
  const redeemed = await redeemGiftCards(app, judged.claim, carryOut);
  return 'claim' in redeemed && redeemed.claim.operation.unsent ? letGo(app, redeemed.claim) : redeemed;
}

/** Notes that what was held back is sent now, by whoever still owns it. */
async function letGo(app: App, claim: Claim): Promise<Ready> {
  const now = app.clock.now();
  const lease = leaseOf(app, now);
  const operation = await noteSent(app.db, claim.operation, now, lease);
  return operation ? { claim: { ...claim, operation } } : { stands: await current(app, claim.operation) };
}

async function call(app: App, claim: Claim): Promise<Operated> {
  const { kind } = claim.operation;
  await failpoint(`${kind}.claimed`);
  const outcome = firstSaid(claim, await send(app, claim));
  await failpoint(`${kind}.called`);
  const next = await reroute(app, claim, outcome);
  return next ? carryOut(app, next) : settle(app, claim, outcome);
}

async function heldBack(app: App, claim: Claim): Promise<Operated> {
  app.wakeRelay();
  await failpoint('authentication.waiting');
  return claim;
}

/**
 * What an operation's first request that never left means: it has surely failed, for there is no other one of its key. But a
 * reversal is owed, and is asked for again.
 */
const firstSaid = ({ operation }: Claim, outcome: Outcome): Outcome =>
  outcome.kind === 'unknown' && outcome.sent === false && operation.kind !== 'unredeem' ? NOT_SENT : outcome;

const NOT_SENT: Outcome = {
  kind: 'failed',
  reference: null,
  errorCode: 'service_network_error',
  rawResponseCode: null,
  rawResponseDescription: null,
};
