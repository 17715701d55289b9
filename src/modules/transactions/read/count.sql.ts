import type { Db } from '../../../platform/db.ts';
import type { Statement } from '../../../platform/statement.ts';
import type { TransactionFilter } from '../model/filter.ts';
import { createdBounds } from './conditions.sql.ts';
import { beginStatement, forEachOwner, fromOf, isEmpty, NAMES, rowsOf, type Owners } from './list.sql.ts';

/** The transactions to count. The count ends at `atMost`. */
export type Counted = { readonly filter: TransactionFilter; readonly atMost: number };

/** Counts the transactions that meet every given filter. */
export async function countTransactionRows(
  db: Db,
  merchantAccountId: string,
  counted: Counted,
): Promise<number> {
  const [row] = await db.query<readonly [number]>(countStatement(merchantAccountId, counted));
  return row?.[0] ?? 0;
}

/** Counts the transactions of each owner, in the order of their ids. One statement counts all. */
export async function countTransactionRowsOf(
  db: Db,
  merchantAccountId: string,
  counted: Counted,
  owners: Owners,
): Promise<readonly number[]> {
  const statement = countStatement(merchantAccountId, counted, owners);
  const rows = await db.query<readonly [owner: unknown, count: number]>(statement);
  return rows.map(([, count]) => count);
}

/**
 * Builds the statement of a count from the given filters only. Postgres stops at the limit, so the limit bounds the cost.
 */
function countStatement(
  merchantAccountId: string,
  { filter, atMost }: Counted,
  owners: Owners | null = null,
): Statement {
  const { values, value, account, ids } = beginStatement(merchantAccountId, owners);
  const bounds = createdBounds(filter, value);
  const { where, sources } = rowsOf(filter, owners, { value, account, bounds, order: '' });
  const text = `SELECT count(*)::int AS count FROM (
      SELECT FROM ${fromOf(sources)} WHERE ${where.join(' AND ')} LIMIT ${value(atMost)}) matches`;
  return {
    name: isEmpty(filter) ? `count_${owners ? NAMES[owners.column] : 'transactions'}` : null,
    text: ids === null ? text : forEachOwner(ids, text, 'found.count', 'found.count'),
    values,
    asArrays: true,
  };
}
