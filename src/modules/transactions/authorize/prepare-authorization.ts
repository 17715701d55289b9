import type { App } from '../../../app.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import type { AuthorizationClaim, Preparation } from '../claim/claim.ts';
import { orHeld } from '../hold/held-back.ts';
import { markSent } from '../claim/leases.sql.ts';
import { leaseOf } from '../../payment-services/index.ts';
import { current, settle } from '../settle/settle.ts';
import { isChallenged, refusalOf } from '../model/three-d-secure.ts';
import { refusalToHold } from './anti-fraud/hold.ts';
import { screen } from './anti-fraud/screen.ts';
import { redeemGiftCards } from './split-tender/redeem.ts';

/**
 * Does the work that precedes the call of an authorisation, in this order:
 *
 * 1. 3-D Secure: waits for a challenged buyer, declines an unauthenticated payment.
 * 2. Fraud screening: declines a rejected payment, refuses a service that cannot hold a payment for its review.
 * 3. Gift cards: redeems them, ends the payment after a refusal.
 * 4. Marks a deferred authorisation as sent.
 */
export async function prepareAuthorization(app: App, claim: AuthorizationClaim): Promise<Preparation> {
  const { operation, transaction } = claim;
  if (operation.unsent && isChallenged(transaction.threeDSecure)) return waitForBuyer(app, claim);
  const refusal = refusalOf(transaction.threeDSecure);
  if (refusal) {
    await failpoint('authentication.refused');
    return { kind: 'ended', operated: await settle(app, claim, refusal) };
  }
  const screened = await screen(app, claim);
  if (screened.kind !== 'ready') return screened;
  const cannotHold = refusalToHold(app, screened.claim);
  if (cannotHold) return { kind: 'refused', claim: screened.claim, refusal: cannotHold };
  const redeemed = await redeemGiftCards(app, screened.claim);
  if (redeemed.kind !== 'ready' || !redeemed.claim.operation.unsent) return redeemed;
  return markDeferredSent(app, redeemed.claim);
}

/** Leaves the authorisation as claimed. The end of the challenge takes it up again. */
async function waitForBuyer(app: App, claim: AuthorizationClaim): Promise<Preparation> {
  app.wakeRelay();
  await failpoint('authentication.waiting');
  return { kind: 'ended', operated: claim };
}

/** Marks a deferred authorisation as sent, if this process still owns it and payments are not held back. */
async function markDeferredSent(app: App, claim: AuthorizationClaim): Promise<Preparation> {
  const now = app.clock.now();
  const operation = await orHeld(markSent(app.db, claim.operation, { now, leaseUntil: leaseOf(app, now) }));
  return operation
    ? { kind: 'ready', claim: { ...claim, operation } }
    : { kind: 'ended', operated: await current(app, claim.operation) };
}
