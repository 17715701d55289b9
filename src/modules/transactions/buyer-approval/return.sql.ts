import type { Db } from '../../../platform/database/db.ts';
import { prepare, rowOf } from '../../../platform/database/statement.ts';
import { RESUMED } from '../engine/resuming.sql.ts';
import type { Operation } from '../model/operation.ts';

/** Records a return to the approvals of a condition. */
const recording = (name: string, approvals: string) =>
  prepare(
    name,
    `WITH returned AS (
     UPDATE approval a SET state = 'returned', decided_at = @now, ${RESUMED}
     FROM operation o JOIN transaction t ON ${rowOf('t', 'o', 'transaction_id')}
     WHERE ${approvals} AND a.state = 'pending' AND a.expires_at > @now
       AND ${rowOf('o', 'a', 'operation_id')} AND o.status = 'pending' AND NOT t.void_pending
     RETURNING a.merchant_account_id, a.operation_id)
   UPDATE operation o
   SET sealed_returned = @sealed,
     next_attempt_at = CASE WHEN o.lease_until > @now THEN @now ELSE least(o.next_attempt_at, @nextAttemptAt) END
   FROM returned r
   WHERE ${rowOf('o', 'r', 'operation_id')} AND o.status = 'pending'
   RETURNING o.id`,
  );

const returnStatement = recording('approval_return', 'a.return_digest = @digest');

const approvedStatement = recording(
  'approval_by_provider',
  `a.merchant_account_id = @account AND a.operation_id = @operation AND a.kind = 'redirect' AND a.return_digest IS NOT NULL`,
);

/**
 * Records once that the buyer came back, with the sealed parameters. The buyer must be in time, the payment open, and
 * no cancel under way. Otherwise writes nothing. `nextAttemptAt` is the time when reconciliation continues the payment.
 * An operation under a lease becomes due at once, because its process does not know of the return.
 */
export async function recordReturn(
  db: Db,
  digest: string,
  {
    sealed,
    now,
    nextAttemptAt,
  }: { readonly sealed: string; readonly now: Date; readonly nextAttemptAt: Date },
): Promise<void> {
  await db.query(returnStatement({ digest, sealed, now, nextAttemptAt }));
}

/**
 * Records once, in place of the buyer's return, that the provider reports the approval on its page. The same rules hold. The
 * operation is due at once. True when recorded.
 */
export async function recordApproval(
  db: Db,
  { merchantAccountId: account, id: operation }: Operation,
  { sealed, now }: { readonly sealed: string; readonly now: Date },
): Promise<boolean> {
  const rows = await db.query(approvedStatement({ account, operation, sealed, now, nextAttemptAt: now }));
  return rows.length > 0;
}
