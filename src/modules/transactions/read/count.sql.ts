import { countBounded, type Bounded } from '../../../platform/lists/bounded-list.sql.ts';
import type { Db } from '../../../platform/database/db.ts';
import { plannedOnce, type Statement } from '../../../platform/database/statement.ts';
import type { TransactionFilter } from './filter.ts';
import { isEmpty } from '../../../platform/lists/sorted-list.sql.ts';
import { countOwned } from '../../../platform/lists/owned-lists.sql.ts';
import type { OwnerColumn, Owners } from './filters.sql.ts';
import { boundedList, forEachOwner, NAMES, ownedLists } from './list.sql.ts';

/** The transactions to count. The count ends at `atMost`. A count that would scan more rows than `scanLimit` is refused. */
export type Counted = {
  readonly filter: TransactionFilter;
  readonly atMost: number;
  readonly scanLimit: number;
};

/** Counts the transactions that meet every given filter. */
export async function countTransactionRows(
  db: Db,
  merchantAccountId: string,
  { filter, atMost, scanLimit }: Counted,
): Promise<Bounded<number>> {
  if (isEmpty(filter)) {
    const [row] = await db.query<readonly [number]>(countStatement(merchantAccountId, atMost));
    return { found: row?.[0] ?? 0 };
  }
  const list = boundedList(merchantAccountId, { ...ANY_ORDER, filter });
  return await countBounded(db, list, { limit: atMost, scanLimit });
}

/**
 * Counts the transactions of each owner, in the order of their ids. One statement counts them. With a filter, the owners share
 * the scan limit.
 */
export async function countTransactionRowsOf(
  db: Db,
  merchantAccountId: string,
  { filter, atMost, scanLimit }: Counted,
  owners: Owners,
): Promise<readonly Bounded<number>[]> {
  if (isEmpty(filter)) {
    const statement = countStatement(merchantAccountId, atMost, owners);
    const rows = await db.query<readonly [owner: unknown, count: number]>(statement);
    return rows.map(([, found]) => ({ found }));
  }
  const lists = ownedLists(merchantAccountId, { ...ANY_ORDER, filter }, owners);
  return await countOwned(db, lists, { limit: atMost, scanLimit });
}

/** The order of a count. The index of this order has most columns. */
const ANY_ORDER = {
  sort: 'created_at_desc',
  columns: 'brief',
  direction: 'forward',
  position: null,
} as const;

/**
 * Postgres stops at the limit, so the limit bounds the cost. The order keeps Postgres from reading the table, which could begin
 * with the rows of other accounts.
 */
function countStatement(merchantAccountId: string, atMost: number, owners: Owners | null = null): Statement {
  const name = `count_${owners ? NAMES[owners.column] : 'transactions'}`;
  return {
    ...plannedOnce(name, () => countTextOf(owners?.column ?? null)),
    values: [merchantAccountId, atMost, ...(owners ? [owners.ids] : [])],
    asArrays: true,
  };
}

function countTextOf(owner: OwnerColumn | null): string {
  const owned = owner === null ? '' : ` AND t.${owner} = owner.id`;
  const text = `SELECT count(*)::int AS count FROM (
      SELECT FROM transaction t WHERE t.merchant_account_id = $1::text${owned}
      ORDER BY t.created_at, t.id LIMIT $2::int) matches`;
  return owner === null ? text : forEachOwner('$3', text, 'found.count', 'found.count');
}
