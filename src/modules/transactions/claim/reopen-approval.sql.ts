import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { Operation } from '../model/operation.ts';

const reopenStatement = prepareFile(import.meta, 'approval-reopen.sql');

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
