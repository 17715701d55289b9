import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { Operation } from '../model/operation.ts';

const learnStatement = prepareFile(import.meta, 'learn-reference.sql');

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
