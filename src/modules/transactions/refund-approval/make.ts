import type { App } from '../../../app.ts';
import type { Result } from '../../../kernel/result.ts';
import { actingAs } from '../../../platform/database/acting.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import type { Answer } from '../claim/replay.ts';
import { makeRefund } from '../follow-up/make-refund.ts';
import type { RefundApproval } from '../model/refund-approval.ts';
import type { FollowUpRefusal } from '../model/refusals.ts';
import { recordApprovalEvent } from './event.ts';
import { changeApproval, claimDueApproval, readOverdue } from './approvals.sql.ts';

/** The time for the process of an approver to claim the refund. Then a worker makes the refund. */
export const LEASE_MS = 60_000;

const IDLE_MS = 1_000;
const OVERDUE_MAX = 100;

/**
 * Makes the refund of an approved request. The state table and the amounts are checked again, because the payment may have
 * changed. A refusal ends the request as failed, with its event. A refund under way elsewhere changes nothing.
 */
export async function makeApproved(
  app: App,
  approval: RefundApproval,
): Promise<Result<Answer, FollowUpRefusal>> {
  const { id: approvalId, transactionId, amount, target, redemptionId } = approval;
  const { force, externalIdentifier, reason } = approval;
  const made = await makeRefund(app, approval, {
    ...{ transactionId, amount, target, redemptionId, force, externalIdentifier, reason, splits: null },
    ...{ idempotencyKey: await keyOf(app, approval), permit: { kind: 'approved', approvalId } },
  });
  if (made.ok) return made;
  const errorCode = CODES[made.refusals[0].kind] ?? null;
  if (errorCode !== null) await fail(app, approval, errorCode);
  return made;
}

/**
 * Returns the idempotency key of an approved refund. A database that was restored to a moment before the refund gives the
 * provider the same key again. Nobody else can use the key, because only the vault makes keys of this form.
 */
const keyOf = ({ vault }: Pick<App, 'vault'>, { merchantAccountId, id }: RefundApproval): Promise<string> =>
  vault.fingerprint(merchantAccountId, `refund approval ${id}`);

/** The codes of the refusals that end an approved request. After any other, a worker tries again. */
const CODES: Readonly<Partial<Record<FollowUpRefusal['kind'], string>>> = {
  NotFound: 'not_found',
  OperationNotAllowed: 'operation_not_allowed',
  OperationNotSupported: 'operation_not_supported',
  RefundTooLarge: 'refund_too_large',
  DisputeOpen: 'dispute_open',
};

async function fail(app: App, approval: RefundApproval, errorCode: string): Promise<void> {
  await app.db.transaction(async (tx) => {
    const now = app.clock.now();
    const failed = await changeApproval(tx, approval, 'fail', { now, errorCode, nextAttemptAt: null });
    if (failed) await recordApprovalEvent(app, tx, 'failed', failed);
  });
  app.wakeRelay();
}

/**
 * Starts the loop that ends requests after their time, and makes approved refunds whose process died. Any process may run
 * the loop.
 */
export const startRefundApprovals = (app: App): Loop =>
  startLoop({
    ...{ name: 'refund approvals', idleMs: IDLE_MS, clock: app.clock, log: app.log },
    run: () => keepRefundApprovals(app),
  });

/** Ends overdue requests, and makes one approved refund that is due. Returns true when more may be due. */
export async function keepRefundApprovals(app: App): Promise<boolean> {
  const overdue = await readOverdue(app.db, app.clock.now(), OVERDUE_MAX);
  for (const approval of overdue) await expire(app, approval);
  const now = app.clock.now();
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  const due = await claimDueApproval(app.db, { now, leaseUntil });
  if (due) await resume(app, due);
  return due !== null || overdue.length === OVERDUE_MAX;
}

async function expire(app: App, approval: RefundApproval): Promise<void> {
  await app.db.transaction(async (tx) => {
    const now = app.clock.now();
    const expired = await changeApproval(tx, approval, 'expire', { now, decidedAt: now });
    if (expired) await recordApprovalEvent(app, tx, 'expired', expired);
  });
  app.wakeRelay();
}

/** Makes the refund in the name of its approver. The next attempt follows after the lease. */
async function resume(app: App, approval: RefundApproval): Promise<void> {
  const { id, merchantAccountId, decidedBy: subject, decidedById } = approval;
  const acting = actingAs(app, { kind: 'person', id: decidedById, subject, merchantAccountId });
  try {
    await makeApproved(acting, approval);
  } catch (error) {
    app.log.error(
      { merchantAccountId, refundApprovalId: id, err: error },
      'An approved refund was not made.',
    );
  }
}
