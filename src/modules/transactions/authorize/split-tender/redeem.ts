import type { App } from '../../../../app.ts';
import { listedCode } from '../../../../connectors/codes/decline-codes.ts';
import { failpoint } from '../../../../platform/failpoint.ts';
import type { Operation, Operated } from '../../model/operation.ts';
import type { FinalOutcome } from '../../model/outcome.ts';
import { providerKeysAt } from '../../model/provider-keys.ts';
import { leaseOf } from '../../../payment-services/index.ts';
import { nextAttemptAt } from '../../settle/schedule.ts';
import type { AuthorizationClaim, Preparation } from '../../claim/claim.ts';
import { unlessHeld } from '../../hold/held-back.ts';
import { runOperation } from '../../engine/run-operation.ts';
import { current, releaseLeaseHeld, settle } from '../../settle/settle.ts';
import { writeLeaseRelease, makeOperationsDue } from '../../claim/leases.sql.ts';
import { readOperation } from '../../rows/read.sql.ts';
import { beginRedeem, readRedemptions } from '../../redemption/redemptions.sql.ts';

/** True when an authorisation is deferred until the payment's gift cards are redeemed. */
export const waitsForGiftCards = ({ operation, transaction }: Operated): boolean =>
  operation.kind === 'authorize' && operation.unsent && transaction.giftCardAmount > 0;

/**
 * Redeems the gift cards of a payment, one after the other, before the payment method pays. Each redemption is an operation
 * of its own: claim, call, settle.
 *
 * - A refusal ends the payment, and earlier redemptions are reversed.
 * - An unknown outcome defers the payment. Reconciliation continues here after it has learned the outcome.
 * - A crash leaves the authorisation deferred. Reconciliation continues here and redeems nothing twice.
 */
export async function redeemGiftCards(app: App, claim: AuthorizationClaim): Promise<Preparation> {
  if (!waitsForGiftCards(claim)) return { kind: 'ready', claim };
  const { merchantAccountId, transactionId } = claim.operation;
  let { operation } = claim;
  for (const { id, status, ordinal } of await readRedemptions(app.db, merchantAccountId, [transactionId])) {
    if (status === 'succeeded' || status === 'skipped') continue;
    if (status === 'created') {
      const providerKeys = await providerKeysAt(app, operation, `gift card ${ordinal}`);
      const begun = beginRedeem(app.db, { operation, redemptionId: id, providerKeys, ...newLease(app) });
      const claimed = await unlessHeld(begun);
      if (!claimed.ok) return { kind: 'ended', operated: await releaseLeaseHeld(app, operation) };
      const started = claimed.value;
      if (!started) return { kind: 'ended', operated: await releaseDeferred(app, operation) };
      operation = started.authorization;
      const { connection, transaction, version } = started;
      const redeem = {
        operation: started.operation,
        transaction,
        version,
        connection,
        authorizationKey: null,
      };
      const done = await runOperation(app, redeem);
      if (done.operation.status === 'succeeded') continue;
    }
    return { kind: 'ended', operated: await refuseOrWait(app, { ...claim, operation }, id) };
  }
  await failpoint('gift-cards.redeemed');
  return { kind: 'ready', claim: { ...claim, operation } };
}

function newLease(app: App): { readonly now: Date; readonly leaseUntil: Date } {
  const now = app.clock.now();
  return { now, leaseUntil: leaseOf(app, now) };
}

/** Ends the payment as the redemption ended. Without an outcome of the redemption, releases the authorisation. */
async function refuseOrWait(app: App, claim: AuthorizationClaim, redemptionId: string): Promise<Operated> {
  const { operation } = claim;
  const redeem = await readOperation(app.db, operation.merchantAccountId, redemptionId);
  const refusal = redeem && refusalBy(redeem.operation);
  if (!refusal) return waitForRedemption(app, claim, redemptionId);
  await failpoint('gift-cards.refused');
  return settle(app, claim, refusal);
}

/**
 * Releases the authorisation's lease until the redemption has an outcome. The settle of the redemption makes the authorisation due,
 * but not during its lease. So an outcome that came during the lease makes it due here.
 */
async function waitForRedemption(
  app: App,
  { operation, transaction }: AuthorizationClaim,
  redemptionId: string,
): Promise<Operated> {
  const released = await releaseDeferred(app, operation);
  const redeem = await readOperation(app.db, operation.merchantAccountId, redemptionId);
  if (redeem && redeem.operation.status !== 'pending')
    await makeOperationsDue(app.db, transaction, 'authorize', app.clock.now());
  return released;
}

function refusalBy(redeem: Operation): FinalOutcome | null {
  const { status: kind, errorCode, rawResponseCode, rawResponseDescription } = redeem;
  if ((kind !== 'declined' && kind !== 'failed') || errorCode === null) return null;
  return {
    ...{ kind, reference: null, errorCode: listedCode(errorCode, kind) },
    ...{ rawResponseCode, rawResponseDescription },
  };
}

/** Releases the lease of a deferred authorisation. Its outcome is known: the provider was never sent the authorisation. */
async function releaseDeferred(app: App, operation: Operation): Promise<Operated> {
  const now = app.clock.now();
  await writeLeaseRelease(app.db, operation, {
    now,
    nextAttemptAt: nextAttemptAt(now, operation),
    unknownCause: null,
    historyId: app.ids.uuid(),
  });
  return current(app, operation);
}
