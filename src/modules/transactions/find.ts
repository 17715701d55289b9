import type { App, Viewer } from '../../app.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Operation, OperationKind } from './operation.ts';
import { readOperationsOf, readTransactions } from './store/read.ts';
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

/** How many captures or refunds of a transaction are shown with it. */
const OPERATIONS_MAX = 100;

/** The latest operations of one kind of each transaction, newest first, in the order of the ids. */
export async function findOperationsOf(
  app: App,
  viewer: Viewer,
  kind: OperationKind,
  transactionIds: readonly string[],
): Promise<readonly (readonly Operation[])[]> {
  const found = await readOperationsOf(
    app.db,
    viewer.merchantAccountId,
    transactionIds,
    kind,
    OPERATIONS_MAX,
  );
  const byTransaction = Map.groupBy(found, ({ transactionId }) => transactionId);
  return transactionIds.map((id) => byTransaction.get(id) ?? []);
}
