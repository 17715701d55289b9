import type { Db } from '../../../../platform/database/db.ts';
import { prepareFile } from '../../../../platform/database/statement.ts';
import type { Operation } from '../../model/operation.ts';

const returnStatement = prepareFile(import.meta, 'approval-return.sql');

const approvedStatement = prepareFile(import.meta, 'approval-by-provider.sql');

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
