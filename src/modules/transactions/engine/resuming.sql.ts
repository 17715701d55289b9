import type { Definition } from '../../../connectors/interface/definition.ts';
import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { Operation } from '../model/operation.ts';

const resumingStatement = prepareFile(import.meta, 'resuming.sql');

/** The time after the provider's own limit within which a late request has ended for sure. */
const MARGIN_MS = 3_600_000;

/**
 * True while a request that continues the payment of an operation may still reach the provider. No such request counts after the
 * longest time that the provider gives a buyer, and an hour.
 *
 * A cancel reads this after its claim has committed. No process begins to continue the payment after that commit.
 */
export async function isResuming(
  db: Db,
  { merchantAccountId: account, transactionId: transaction }: Operation,
  { approvalWindow }: Pick<Definition, 'approvalWindow'>,
  now: Date,
): Promise<boolean> {
  const since = new Date(now.getTime() - (approvalWindow?.maxMs ?? 0) - MARGIN_MS);
  const [row] = await db.query<{ resuming: boolean }>(resumingStatement({ account, transaction, since }));
  return row?.resuming === true;
}
