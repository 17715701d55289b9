import type { PageRequest, Position } from '../../../kernel/page.ts';
import { readRows, readRowsOfEach } from '../../../platform/database/column-set.ts';
import type { Db } from '../../../platform/database/db.ts';
import { plannedOnce, type Statement } from '../../../platform/database/statement.ts';
import type { TransactionFilter } from './filter.ts';
import { readBounded, readUnbounded, type Bounded } from '../../../platform/lists/bounded-list.sql.ts';
import type { BoundedRows } from '../../../platform/lists/scan.sql.ts';
import type { Filter, Listed, ListedTable } from '../../../platform/lists/list-filters.sql.ts';
import { readOwned, type OwnedLists } from '../../../platform/lists/owned-lists.sql.ts';
import { isEmpty, ordering, SORT_TYPES, sortedList } from '../../../platform/lists/sorted-list.sql.ts';
import { readSort, type TransactionSort } from './sort.ts';
import type { Transaction } from '../model/transaction.ts';
import { filtersOf, ownedBy, ownedByEach, type OwnerColumn, type Owners } from './filters.sql.ts';
import { TRANSACTION_COLUMNS, type TransactionColumns } from '../rows/columns.sql.ts';

/** A page of a list of transactions. The page begins behind `position`. */
export type TransactionPage = {
  readonly sort: TransactionSort;
  readonly columns: TransactionColumns;
  readonly filter: TransactionFilter;
  readonly direction: PageRequest['direction'];
  readonly position: Position | null;
  readonly limit: number;
};

/**
 * Reads one row more than the page. A page going backward is in reverse order. With `scanLimit`, a filter that would scan more rows
 * is refused.
 */
export async function readTransactionPage(
  db: Db,
  merchantAccountId: string,
  page: TransactionPage,
  scanLimit: number | null,
): Promise<Bounded<readonly Transaction[]>> {
  if (isEmpty(page.filter)) {
    const statement = listStatement(merchantAccountId, page);
    return { found: await readRows(db, statement, TRANSACTION_COLUMNS[page.columns]) };
  }
  const list = boundedList(merchantAccountId, page);
  const limit = page.limit + 1;
  return scanLimit === null
    ? { found: await readUnbounded(db, list, limit) }
    : await readBounded(db, list, { limit, scanLimit });
}

/**
 * Reads the same page for each owner, in the order of their ids. Each page has one row more, and one going backward is in
 * reverse order. One statement reads the pages. With a filter or another order than that of creation, the owners share
 * the scan limit.
 */
export async function readTransactionPages(
  db: Db,
  merchantAccountId: string,
  page: TransactionPage,
  owners: Owners,
  scanLimit: number,
): Promise<readonly Bounded<readonly Transaction[]>[]> {
  if (!isEmpty(page.filter) || readSort(page.sort).key !== 'created_at')
    return await readOwned(db, ownedLists(merchantAccountId, page, owners), {
      limit: page.limit + 1,
      scanLimit,
    });
  const statement = listStatement(merchantAccountId, page, owners);
  const pages = await readRowsOfEach(db, statement, TRANSACTION_COLUMNS[page.columns], owners.ids.length);
  return pages.map((found) => ({ found }));
}

/** Describes a filtered list. */
export const boundedList = (
  account: string,
  page: Omit<TransactionPage, 'limit'>,
): BoundedRows<Transaction> => listOf(account, page, () => []);

/** Describes the filtered lists of some owners. */
export const ownedLists = (
  account: string,
  page: Omit<TransactionPage, 'limit'>,
  { column, ids }: Owners,
): OwnedLists<Transaction> => ({
  ids,
  column,
  each: listOf(account, page, (listed) => [ownedByEach(column, listed)]),
  of: (some) => listOf(account, page, (listed) => [ownedBy({ column, ids: some }, listed)]),
});

const listOf = (
  account: string,
  page: Omit<TransactionPage, 'limit'>,
  owned: (listed: Listed) => readonly Filter[],
): BoundedRows<Transaction> =>
  sortedList({ table: TABLE, account, columns: TRANSACTION_COLUMNS[page.columns] }, page, (listed) => [
    ...owned(listed),
    ...filtersOf(page.filter, listed),
  ]);

const TABLE: ListedTable = {
  name: 'transaction',
  terms: { name: 'transaction_term', id: 'transaction_id', hasCreation: true },
  hasAmount: true,
  only: null,
};

/**
 * Returns the statement of a page without a filter. With owners, the statement reads one page for each, and a row starts with the
 * number of its owner.
 */
export function listStatement(
  merchantAccountId: string,
  page: TransactionPage,
  owners: Owners | null = null,
): Statement {
  const { position, limit } = page;
  const behind = position ? [position.value, position.id] : [];
  return {
    ...plannedOnce(nameOf(page, owners), () => textOf(page, owners)),
    values: [merchantAccountId, ...(owners ? [owners.ids] : []), ...behind, limit + 1],
  };
}

/** Returns the statements of the most frequent lists: the newest payments, and those of a buyer, both brief and whole. */
export const frequentLists = (): readonly { readonly name: string; readonly text: string }[] =>
  (['line', 'whole'] as const).flatMap((columns) => {
    const page = { sort: 'created_at_desc', columns, direction: 'forward', position: null } as const;
    return [null, { column: 'buyer_id', ids: [] } as const].map((owners) =>
      plannedOnce(nameOf(page, owners), () => textOf(page, owners)),
    );
  });

type Listing = Pick<TransactionPage, 'sort' | 'columns' | 'direction' | 'position'>;

function textOf({ sort, columns, direction, position }: Listing, owners: Owners | null): string {
  const { key, descending } = readSort(sort);
  const order = ordering(descending === (direction === 'forward'));
  let parameters = 0;
  const parameter = (): string => `$${(parameters += 1)}`;
  const conditions = [`t.merchant_account_id = ${parameter()}::text`];
  const ids = owners ? parameter() : null;
  if (owners) conditions.push(`t.${owners.column} = owner.id`);
  if (position)
    conditions.push(order.behind(`t.${key}`, 't.id', `${parameter()}::${SORT_TYPES[key]}`, parameter()));
  const text = `SELECT ${TRANSACTION_COLUMNS[columns].select('t')} FROM transaction t
      WHERE ${conditions.join(' AND ')} ORDER BY ${order.keys(`t.${key}`, 't.id')} LIMIT ${parameter()}::int`;
  return ids === null ? text : forEachOwner(ids, text, 'found.*', order.keys(`found.${key}`, 'found.id'));
}

/** There are as many names as sorts, directions, owners and column sets. Postgres cuts a longer name than 63 characters. */
const nameOf = ({ sort, columns, direction, position }: Listing, owners: Owners | null): string =>
  `${owners ? NAMES[owners.column] : 'list_transactions'}_${columns}_${sort}_${direction}${position ? '_on' : ''}`;

/** The names of the statements about the transactions of a record. */
export const NAMES = {
  buyer_id: 'transactions_of_buyer',
  payment_method_id: 'transactions_of_method',
  payment_service_id: 'transactions_of_service',
} as const satisfies Record<OwnerColumn, string>;

/** Runs a statement for each owner. A row starts with the owner's number, from 1. The keys sort the rows of an owner. */
export const forEachOwner = (ids: string, text: string, columns: string, keys: string): string =>
  `SELECT owner.number, ${columns} FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS owner (id, number), LATERAL (${text}) found
    ORDER BY owner.number, ${keys}`;
