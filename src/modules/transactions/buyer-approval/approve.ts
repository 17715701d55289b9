import type { App } from '../../../app.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { reconcileOne } from '../recovery/reconcile.ts';
import { leaseOf } from '../../payment-services/index.ts';
import { decideApproval, expireApprovals, findApproval, type Approval } from './store/approval.sql.ts';
import { claimPendingOf } from '../claim/leases.sql.ts';

/** Finds the approval of a page of ours. Null when no approval has the token, or the provider has its own page. */
export async function approvalOf(app: App, token: string): Promise<Approval | null> {
  const found = await findApproval(app.db, 'page', token, app.clock.now());
  return found?.isAtProvider ? null : found;
}

/**
 * Takes the buyer's decision and continues the payment at once. Commits the decision first, so that reconciliation
 * continues after a crash. Only the first decision within the time counts. Returns the current approval. Null when no
 * approval has the token.
 */
export async function approve(
  app: App,
  token: string,
  decision: 'approved' | 'refused',
): Promise<Approval | null> {
  const now = app.clock.now();
  const nextAttemptAt = leaseOf(app, now);
  const decided = await decideApproval(app.db, token, decision, { now, nextAttemptAt });
  await failpoint('approval.decided');
  const approval = await approvalOf(app, token);
  // In a session, the client completes the payment after the approval.
  if (!approval || !decided || isLeftToClient(approval)) return approval;
  await continuePayment(app, approval);
  return approvalOf(app, token);
}

/** True when the buyer has approved in the merchant's client, and the client has not completed the payment yet. */
export const isLeftToClient = ({ kind, state, completed }: Approval): boolean =>
  kind === 'session' && state === 'approved' && !completed;

/**
 * Continues the payment after the buyer's decision. Reconciliation settles the rest, because the decision is stored.
 */
export async function continuePayment(app: App, { merchantAccountId, transaction }: Approval): Promise<void> {
  const now = app.clock.now();
  const lease = leaseOf(app, now);
  try {
    const claimed = await claimPendingOf(app.db, merchantAccountId, transaction.id, {
      now,
      leaseUntil: lease,
    });
    await Promise.all(claimed.map((one) => reconcileOne(app, one)));
  } catch (error) {
    app.log.error({ transactionId: transaction.id, err: error }, 'An approved payment could not go on yet.');
  }
}

const IDLE_MS = 1_000;

/**
 * Starts the loop that ends approvals after their time. Their payments fail with `incomplete_buyer_approval`. Any
 * process may run the loop.
 */
export function startApprovalSweeper(app: App): Loop {
  const { clock, log, db } = app;
  const run = (): Promise<boolean> => expireApprovals(db, clock.now());
  return startLoop({ name: 'approvals', idleMs: IDLE_MS, clock, log, run });
}
