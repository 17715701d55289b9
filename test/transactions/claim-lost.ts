import type { TakenOverClaim } from '../../src/modules/transactions/claim/claim.ts';
import { claimDue } from '../../src/modules/transactions/claim/leases.sql.ts';
import type { Harness } from './harness.ts';

/** The claim of a payment with a lost answer: the time of the claim, and the end of its lease. */
export type LostClaim = { readonly claim: TakenOverClaim; readonly now: Date; readonly lease: Date };

const LATER_MS = 10_000;
export const LEASE_MS = 15_000;

/** Pays without an answer, so that history has the unknown outcome. Then claims the payment as reconciliation does. */
export async function claimLost(harness: Harness): Promise<LostClaim> {
  const { server, provider, clock } = harness;
  provider.failNext('lose_answer');
  const { transaction } = await harness.create();
  const now = new Date(clock.now().getTime() + LATER_MS);
  const lease = new Date(now.getTime() + LEASE_MS);
  const due = await claimDue(server.app.db, now, lease, { limit: 8, perService: 8, grown: new Map() });
  const claim = due.find(({ operation }) => operation.transactionId === transaction?.id);
  if (!claim) throw new Error('The payment is not due.');
  return { claim, now, lease };
}
