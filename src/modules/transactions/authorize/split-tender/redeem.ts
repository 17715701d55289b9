import type { App } from '../../../../app.ts';
import { failpoint } from '../../../../platform/failpoint.ts';
import type { Operation, Operated } from '../../model/operation.ts';
import type { FinalOutcome } from '../../model/outcome.ts';
import { leaseOf, nextAttemptAt } from '../../engine/schedule.ts';
import type { Claim } from '../../engine/send.ts';
import { current, settle } from '../../engine/settle.ts';
import { releaseOperation } from '../../engine/leases.sql.ts';
import { readOperation } from '../../model/read.sql.ts';
import { beginRedeem, readRedemptions } from './redemptions.sql.ts';
import { takeUpReversals } from './reversals.sql.ts';
import { hasEndedInVain } from '../../model/transaction.ts';

/** A claim that may go on, or what stands because it may not. */
export type Ready = { readonly claim: Claim } | { readonly stands: Operated };

/** How one claimed operation is carried out. */
export type CarryOut = (app: App, claim: Claim) => Promise<Operated>;

/** Whether an authorisation is held back until the payment's gift cards are redeemed. */
export const waitsForGiftCards = ({ operation, transaction }: Operated): boolean =>
  operation.kind === 'authorize' && operation.unsent && transaction.giftCardAmount > 0;

/**
 * Redeems the gift cards of a payment, one after the other, before its payment method is asked. Each is an operation of its
 * own: claim, call, settle. The first refusal ends the payment, and what was redeemed before is given back; an unknown
 * outcome leaves the payment as it is, and whoever learns it has it go on. A crash anywhere leaves the authorisation held
 * back, which reconciliation takes up: it comes here again, where nothing is redeemed twice.
 */
export async function redeemGiftCards(app: App, claim: Claim, carryOut: CarryOut): Promise<Ready> {
  if (!waitsForGiftCards(claim)) return { claim };
  const { merchantAccountId, transactionId } = claim.operation;
  let { operation } = claim;
  for (const { id, status } of await readRedemptions(app.db, merchantAccountId, [transactionId])) {
    if (status === 'succeeded' || status === 'skipped') continue;
    if (status === 'created') {
      const begun = await beginRedeem(app.db, { operation, redemptionId: id, ...newLease(app) });
      if (!begun) return { stands: await wait(app, operation) };
      operation = begun.authorization;
      const { connection, transaction, version } = begun;
      const redeem = {
        operation: begun.operation,
        transaction,
        version,
        connection,
        card: null,
        token: null,
      };
      const done = await carryOut(app, { ...redeem, authorizationKey: null, alternatives: [] });
      if (done.operation.status === 'succeeded') continue;
    }
    return { stands: await refuseOrWait(app, { ...claim, operation }, id) };
  }
  await failpoint('gift-cards.redeemed');
  return { claim: { ...claim, operation } };
}

/** Gives back what gift cards have paid of a payment that ended without success: at once, and otherwise by reconciliation. */
export async function giveBack(app: App, { transaction }: Operated, carryOut: CarryOut): Promise<void> {
  if (transaction.giftCardAmount === 0 || !hasEndedInVain(transaction)) return;
  const reversals = await takeUpReversals(app.db, transaction, newLease(app));
  const rest = { card: null, token: null, alternatives: [] };
  await Promise.all(reversals.map((claimed) => carryOut(app, { ...claimed, ...rest })));
}

function newLease(app: App): { readonly now: Date; readonly leaseUntil: Date } {
  const now = app.clock.now();
  return { now, leaseUntil: leaseOf(app, now) };
}

/** The payment ends as the redemption has, when that has ended. */
async function refuseOrWait(app: App, claim: Claim, redemptionId: string): Promise<Operated> {
  const { operation } = claim;
  const redeem = await readOperation(app.db, operation.merchantAccountId, redemptionId);
  const refusal = redeem && refusalBy(redeem.operation);
  if (!refusal) return wait(app, operation);
  await failpoint('gift-cards.refused');
  return settle(app, claim, refusal);
}

function refusalBy(redeem: Operation): FinalOutcome | null {
  const { status: kind, errorCode, rawResponseCode, rawResponseDescription } = redeem;
  if ((kind !== 'declined' && kind !== 'failed') || errorCode === null) return null;
  return { kind, reference: null, errorCode, rawResponseCode, rawResponseDescription };
}

/** Lets go of an authorisation that is held back: it has not been sent, and so is in no doubt. */
async function wait(app: App, operation: Operation): Promise<Operated> {
  const now = app.clock.now();
  await releaseOperation(app.db, operation, {
    now,
    nextAttemptAt: nextAttemptAt(now, operation),
    unknownCause: null,
    historyId: app.ids.uuid(),
  });
  return current(app, operation);
}
