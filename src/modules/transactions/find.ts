import type { App, Viewer } from '../../app.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Operation } from './operation.ts';
import { readOperations, type OperationsOf } from './store/operations.ts';
import { readTransactions } from './store/read.ts';
import type { Transaction } from './transaction.ts';

/** Transactions in the order of the ids; null where the viewer's merchant account has none. */
export async function findTransactions(
  app: App,
  viewer: Viewer,
  ids: readonly string[],
): Promise<readonly (Transaction | null)[]> {
  const found = await readTransactions(app.db, viewer.merchantAccountId, ids.filter(isUuid));
  const byId = new Map(found.map((transaction) => [transaction.id, transaction]));
  return ids.map((id) => byId.get(id.toLowerCase()) ?? null);
}

/** How many operations of a transaction are shown with it. */
const OPERATIONS_MAX = 100;

/** Operations of each transaction: the latest, newest first, or the first attempts; in the order of the ids. */
export async function findOperationsOf(
  app: App,
  { merchantAccountId }: Viewer,
  which: OperationsOf,
  transactionIds: readonly string[],
): Promise<readonly (readonly Operation[])[]> {
  const limit = OPERATIONS_MAX;
  const found = await readOperations(app.db, merchantAccountId, transactionIds, { which, limit });
  const byTransaction = Map.groupBy(found, ({ transactionId }) => transactionId);
  return transactionIds.map((id) => byTransaction.get(id) ?? []);
}
