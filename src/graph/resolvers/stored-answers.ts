import {
  operationsAt,
  redemptionsAt,
  type Answer,
  type Operation,
  type Redemption,
  type ShownOperation,
  type ShownTransaction,
} from '../../modules/transactions/index.ts';
import type { Loaders } from '../loaders.ts';

// A repeated mutation answers one moment: its lists are those of the stored answer, like its values.

/** Returns the transaction of an answer. The transaction of a stored answer keeps its moment. */
export const shownTransaction = ({ transaction, operation, asOf }: Answer): ShownTransaction =>
  asOf === undefined ? transaction : { ...transaction, stored: { at: asOf, operation } };

/** Returns the operation of an answer. The operation of a stored answer keeps the transaction of the answer. */
export const shownOperation = (operation: Operation, transaction: ShownTransaction | null): ShownOperation =>
  transaction?.stored ? { ...operation, of: transaction } : operation;

/** Loads operations of a transaction, as the answer shows them. */
export async function operationsOf(
  transaction: ShownTransaction,
  loader: Loaders['operations'],
): Promise<readonly ShownOperation[]> {
  const found: readonly Operation[] = await loader.load(transaction.id);
  const { stored } = transaction;
  return stored
    ? operationsAt(found, stored).map((operation) => shownOperation(operation, transaction))
    : found;
}

/** Loads the redemptions of a transaction, as the answer shows them. */
export async function redemptionsOf(
  { id, stored }: ShownTransaction,
  loaders: Loaders,
): Promise<readonly Redemption[]> {
  const found = await loaders.redemptions.load(id);
  return stored ? redemptionsAt(found, await loaders.operations.load(id), stored) : found;
}
