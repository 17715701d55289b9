import type { Db } from '../../../platform/db.ts';
import { prepare, rowOf } from '../../../platform/statement.ts';

const returnStatement = prepare(
  'approval_return',
  `WITH returned AS (
     UPDATE approval a SET state = 'returned', decided_at = @now
     WHERE a.return_digest = @digest AND a.state = 'pending' AND a.expires_at > @now
       AND EXISTS (SELECT FROM operation o
         JOIN transaction t ON ${rowOf('t', 'o', 'transaction_id')}
         WHERE ${rowOf('o', 'a', 'operation_id')} AND o.status = 'pending'
           AND NOT t.void_pending)
     RETURNING merchant_account_id, operation_id)
   UPDATE operation o
   SET sealed_returned = @sealed,
     next_attempt_at = CASE WHEN o.lease_until > @now THEN @now ELSE least(o.next_attempt_at, @nextAttemptAt) END
   FROM returned r
   WHERE ${rowOf('o', 'r', 'operation_id')} AND o.status = 'pending'`,
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
