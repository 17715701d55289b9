import type { App, Viewer } from '../../../app.ts';
import { inOrderOf, isUuid } from '../../../platform/ids.ts';
import type { Redemption } from '../model/redemption.ts';
import type { Operation } from '../model/operation.ts';
import type { OperationColumns, TransactionColumns } from '../rows/columns.sql.ts';
import {
  readFollowUps,
  readOperations,
  readOperationsById,
  type FollowUps,
  type WantedFollowUps,
  type OperationsWanted,
} from './operations.sql.ts';
import { readRedemptions } from '../redemption/redemptions.sql.ts';
import { readTransactions, readTransactionsOfLinks, type OfLinksColumns } from '../rows/read.sql.ts';
import type { Transaction } from '../model/transaction.ts';

/**
 * Finds transactions in the order of the ids, with null where the viewer's merchant account has none. They have the fields of
 * `columns` alone. Another field of them throws.
 */
export async function findTransactions(
  app: App,
  viewer: Viewer,
  ids: readonly string[],
  columns: TransactionColumns,
): Promise<readonly (Transaction | null)[]> {
  const found = await readTransactions(app.db, viewer.merchantAccountId, ids.filter(isUuid), columns);
  return inOrderOf(ids, found);
}

/** Finds operations in the order of the ids, with null where the viewer's merchant account has none. */
export async function findOperations(
  app: App,
  { merchantAccountId }: Viewer,
  ids: readonly string[],
): Promise<readonly (Operation | null)[]> {
  const found = await readOperationsById(app.db, merchantAccountId, ids.filter(isUuid));
  return inOrderOf(ids, found);
}

/** The most transactions that a payment link shows. */
const OF_LINK_MAX = 100;

/** Finds the latest transactions of each payment link, newest first, in the order of the ids. */
export const findTransactionsOfLinks = (
  app: App,
  { merchantAccountId }: Pick<Viewer, 'merchantAccountId'>,
  paymentLinkIds: readonly string[],
  columns: OfLinksColumns = 'whole',
): Promise<readonly (readonly Transaction[])[]> =>
  readTransactionsOfLinks(app.db, merchantAccountId, paymentLinkIds, { columns, limit: OF_LINK_MAX });

/** Finds the redemptions of each transaction in their order, in the order of the ids. */
export async function findRedemptionsOf(
  app: App,
  { merchantAccountId }: Pick<Viewer, 'merchantAccountId'>,
  transactionIds: readonly string[],
): Promise<readonly (readonly Redemption[])[]> {
  const found = await readRedemptions(app.db, merchantAccountId, transactionIds);
  const byTransaction = Map.groupBy(found, ({ transactionId }) => transactionId);
  return transactionIds.map((id) => byTransaction.get(id) ?? []);
}

/** The most operations that a transaction shows. */
const OPERATIONS_MAX = 100;

/**
 * Finds the latest captures and refunds of each transaction, newest first, in the order of the transactions. They have the
 * fields of `columns` alone. Another field of them throws.
 */
export const findFollowUps = (
  app: App,
  { merchantAccountId }: Viewer,
  columns: OperationColumns,
  wanted: WantedFollowUps,
): Promise<readonly FollowUps[]> =>
  readFollowUps(app.db, merchantAccountId, wanted, { columns, limit: OPERATIONS_MAX });

/** Finds operations of each transaction, in the order of the ids: the latest, newest first, or the first attempts. */
export const findOperationsOf = (
  app: App,
  { merchantAccountId }: Viewer,
  wanted: OperationsWanted,
  transactionIds: readonly string[],
): Promise<readonly (readonly Operation[])[]> =>
  readOperations(app.db, merchantAccountId, transactionIds, { ...wanted, limit: OPERATIONS_MAX });
