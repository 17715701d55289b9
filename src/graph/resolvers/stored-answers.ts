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

/** Waits for the operations of a transaction. Returns them as the answer shows them. */
export async function operationsOf(
  transaction: ShownTransaction,
  loading: Promise<readonly Operation[]>,
): Promise<readonly ShownOperation[]> {
  const found = await loading;
  const { stored } = transaction;
  return stored
    ? operationsAt(found, stored).map((operation) => shownOperation(operation, transaction))
    : found;
}

/** A part of a refund, with the operation that captured it. */
export type ShownPart = {
  readonly operationId: string;
  readonly amount: number;
  readonly stored: ShownTransaction['stored'];
};

/** Lists the parts of a refund. A refund to a gift card has none, like a result stored by an earlier release. */
export const partsOf = (refund: Partial<ShownOperation>): readonly ShownPart[] =>
  (refund.refundCaptures ?? []).map(({ operationId, amount }) => ({
    ...{ operationId, amount, stored: refund.of?.stored },
  }));

/** Loads the capture of a part, as the answer shows it. Null when the authorisation captured. */
export async function captureOf(
  { operationId, stored }: ShownPart,
  { operation }: Loaders,
): Promise<Operation | null> {
  const found = await operation.load(operationId);
  if (!found) throw new Error(`Operation ${operationId} is gone`);
  if (found.kind === 'authorize') return null;
  return (stored ? operationsAt([found], stored)[0] : found) ?? null;
}

/** Loads the redemptions of a transaction, as the answer shows them. */
export async function redemptionsOf(
  { id, stored }: ShownTransaction,
  loaders: Loaders,
): Promise<readonly Redemption[]> {
  const found = await loaders.redemptions.load(id);
  return stored ? redemptionsAt(found, await loaders.operations.load(id), stored) : found;
}

/** Loads the redemption that a refund gives back, as the answer shows it. Null for a refund to the payment method. */
export async function redemptionOf(
  { redemptionId, transactionId, of }: ShownOperation,
  loaders: Loaders,
): Promise<Redemption | null> {
  if (redemptionId === null) return null;
  const found = await (of ? redemptionsOf(of, loaders) : loaders.redemptions.load(transactionId));
  return found.find(({ id }) => id === redemptionId) ?? null;
}
