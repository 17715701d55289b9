import type { Db } from '../../../platform/database/db.ts';
import { prepare } from '../../../platform/database/statement.ts';
import { rematchExpression } from '../engine/rematch.sql.ts';
import type { Operation } from '../model/operation.ts';

const learnStatement = prepare(
  'learn_reference',
  // Our own key stands in for a provider's id that nobody knew.
  `WITH learned AS (
     UPDATE operation o SET provider_reference = @reference, updated_at = greatest(o.updated_at, @now)
     WHERE o.merchant_account_id = @account AND o.id = @operation AND o.status <> 'pending'
       AND o.kind IN ('increase', 'reauthorize', 'capture', 'refund', 'void')
       AND (o.provider_reference IS NULL OR o.provider_reference IN (o.id::text, o.provider_key::text))
       AND o.provider_reference IS DISTINCT FROM @reference::text
     RETURNING o.*),
   ${rematchExpression('learned')}
   SELECT id FROM learned`,
);

/**
 * Records the provider's id of an ended operation that lacks one. Webhooks that wait for the id become due. False when the
 * operation has an id already, or is still pending. Commits once.
 */
export async function learnReference(
  db: Db,
  { merchantAccountId: account, id: operation }: Operation,
  reference: string,
  now: Date,
): Promise<boolean> {
  const rows = await db.query(learnStatement({ account, operation, reference, now }));
  return rows.length > 0;
}
