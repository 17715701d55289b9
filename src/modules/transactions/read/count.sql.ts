import type { Db } from '../../../platform/db.ts';
import type { Statement } from '../../../platform/statement.ts';
import type { TransactionFilter } from '../model/filter.ts';
import { conditionsOf, createdBounds } from './conditions.sql.ts';
import { fromOf, isEmpty, NAMES, type Owners } from './list.sql.ts';
import type { AddValue } from './statement-building.ts';

/** The transactions to count. The count ends at `limit + 1`. */
export type Counted = { readonly filter: TransactionFilter; readonly limit: number };

/** Counts the transactions that meet every given filter, up to one more than the limit. */
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
  const rows = await db.query<readonly [number]>(countStatement(merchantAccountId, counted, owners));
  return rows.map(([count]) => count);
}

/**
 * Builds the statement of a count from the given filters only. Postgres stops at the limit, so a count of very many rows
 * costs no more than one of `limit` rows.
 */
export function countStatement(
  merchantAccountId: string,
  { filter, limit }: Counted,
  owners: Owners | null = null,
): Statement {
  const values: unknown[] = [];
  const value: AddValue = (each) => `$${values.push(each)}`;
  const account = `${value(merchantAccountId)}::text`;
  const ids = owners && `${value(owners.ids)}::uuid[]`;
  const bounds = createdBounds(filter, value);
  const { where, sources } = conditionsOf(filter, { value, account, bounds, order: '' });
  const conditions = [
    `t.merchant_account_id = ${account}`,
    ...(owners ? [`t.${owners.column} = owner.id`] : []),
    ...(sources.length > 0 ? [] : bounds('t.created_at', 't.id')),
    ...where,
  ];
  const found = `SELECT count(*)::int AS count FROM (
      SELECT FROM ${fromOf(sources)} WHERE ${conditions.join(' AND ')} LIMIT ${value(limit + 1)}) matches`;
  return {
    name: isEmpty(filter) ? `count_${owners ? NAMES[owners.column] : 'transactions'}` : null,
    text: ids === null ? found : forEachOwner(ids, found),
    values,
    asArrays: true,
  };
}

const forEachOwner = (ids: string, text: string): string =>
  `SELECT found.count FROM unnest(${ids}) WITH ORDINALITY AS owner (id, number), LATERAL (${text}) found
    ORDER BY owner.number`;
