import type { GraphQLResolveInfo } from 'graphql';
import {
  findFollowUps,
  type FollowUpKind,
  type FollowUps,
  type ShownOperation,
  type ShownTransaction,
  type Transaction,
} from '../../../modules/transactions/index.ts';
import type { GraphContext } from '../../context.ts';
import type { Loaders } from '../../loaders.ts';
import { operationsOf } from '../stored-answers.ts';
import { columnsOfOperations, followUpsOfList } from './transaction-columns.ts';

/** A transaction of a list. Its captures and refunds were read with the list if the operation selects them. */
type Listed = ShownTransaction & { followUps?: FollowUps | undefined };

/**
 * Reads the captures and refunds that the operation selects below a list, and attaches them to the rows. One statement reads
 * all. A loader would make a promise for each row and kind.
 */
export async function attachFollowUps(
  rows: readonly Transaction[],
  { app, viewer }: Pick<GraphContext, 'app' | 'viewer'>,
  info: GraphQLResolveInfo,
): Promise<void> {
  const { kinds, columns } = followUpsOfList(info);
  if (kinds.length === 0 || rows.length === 0) return;
  const found = await findFollowUps(app, viewer, columns, { transactions: rows.map(({ id }) => id), kinds });
  for (const [index, row] of rows.entries()) (row as Listed).followUps = found[index];
}

/** True if the columns of a line answer the selected fields of operations. Operations of a stored answer need whole rows. */
export const isBrief = ({ stored }: ShownTransaction, info: GraphQLResolveInfo): boolean =>
  !stored && columnsOfOperations(info) !== 'whole';

/** Answers captures or refunds with the columns of the selection. */
export function followUpsOf(
  transaction: Listed,
  kind: FollowUpKind,
  { followUps, briefFollowUps }: Loaders,
  info: GraphQLResolveInfo,
): readonly ShownOperation[] | Promise<readonly ShownOperation[]> {
  const attached = transaction.followUps?.[kind];
  if (attached) return attached;
  const loader = isBrief(transaction, info) ? briefFollowUps : followUps;
  return operationsOf(transaction, loader.load({ transactionId: transaction.id, kind }));
}
