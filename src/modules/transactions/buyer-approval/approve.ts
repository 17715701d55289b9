import type { App } from '../../../app.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { reconcileOne } from '../recovery/reconcile.ts';
import { leaseOf } from '../engine/schedule.ts';
import { decideApproval, expireApprovals, findApproval, type Approval } from './approval.sql.ts';
import { claimPendingOf } from '../engine/leases.sql.ts';

/** What is asked of the buyer at a page of ours; null when nothing was ever asked there. */
export const approvalOf = (app: App, token: string): Promise<Approval | null> =>
  findApproval(app.db, 'page', token, app.clock.now());

/**
 * Takes the buyer's word, and goes on with the payment at once. Commits the word first, so that a crash leaves the rest to
 * reconciliation; said twice, after the end or at the same time, only the first word in time counts. The answer is what
 * stands then; null when nothing was ever asked under the token.
 */
export async function approve(
  app: App,
  token: string,
  said: 'approved' | 'refused',
): Promise<Approval | null> {
  const now = app.clock.now();
  const nextAttemptAt = leaseOf(app, now);
  const decided = await decideApproval(app.db, token, said, { now, nextAttemptAt });
  await failpoint('approval.decided');
  const approval = await approvalOf(app, token);
  // Who approves in a client has it complete the payment.
  if (!approval || !decided || isLeftToClient(approval)) return approval;
  await goOn(app, approval);
  return approvalOf(app, token);
}

/** Whether the buyer has approved in a client of the merchant's, which has yet to complete the payment. */
export const isLeftToClient = ({ kind, state, completed }: Approval): boolean =>
  kind === 'session' && state === 'approved' && !completed;

/** What cannot be settled at once, reconciliation settles: the word is stored. */
export async function goOn(app: App, { merchantAccountId, transaction }: Approval): Promise<void> {
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

/** Ends the time of buyers who said nothing: their payments fail with `incomplete_buyer_approval`. Any process may run it. */
export function startApprovalSweeper(app: App): Loop {
  const { clock, log, db } = app;
  const run = (): Promise<boolean> => expireApprovals(db, clock.now());
  return startLoop({ name: 'approvals', idleMs: IDLE_MS, clock, log, run });
}
