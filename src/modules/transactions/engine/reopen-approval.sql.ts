import type { Db } from '../../../platform/database/db.ts';
import { prepare, rowOf } from '../../../platform/database/statement.ts';
import { STILL_PENDING } from '../model/fragments.sql.ts';
import type { Operation } from '../model/operation.ts';
import { APPROVAL_OF } from './leases.sql.ts';

const reopenStatement = prepare(
  'approval_reopen',
  `WITH held AS (
     SELECT o.merchant_account_id, o.id FROM operation o WHERE o.merchant_account_id = @account AND o.id = @operation
       AND ${STILL_PENDING} AND o.attempts = @attempts FOR UPDATE),
   forgotten AS (
     UPDATE operation o SET sealed_returned = NULL, sealed_form = coalesce(@sealedForm::text, o.sealed_form)
     FROM held h WHERE ${rowOf('o', 'h')})
   UPDATE approval a SET state = 'pending', decided_at = NULL,
     resumed_after = CASE WHEN a.resumed_after + 1 < @attempts THEN a.resumed_after END
   FROM held o
   WHERE ${APPROVAL_OF} AND (a.state = 'returned' OR (a.kind = 'session' AND a.state = 'approved'))`,
);

/**
 * Forgets a return or a completion without a decision, so that the next one counts. The client's next action is in
 * `sealedForm`. With null, the buyer's step stays the same. Changes nothing after another process has
 * claimed the operation. The answer to the first request leaves no request under way. An earlier attempt without an answer
 * may still reach the provider, and stays marked.
 */
export async function reopenApproval(
  db: Db,
  { merchantAccountId, id, attempts }: Operation,
  sealedForm: string | null,
): Promise<void> {
  await db.query(reopenStatement({ account: merchantAccountId, operation: id, attempts, sealedForm }));
}
