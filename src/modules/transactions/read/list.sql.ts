import type { PageRequest, Position } from '../../../kernel/page.ts';
import { readRows } from '../../../platform/column-set.ts';
import type { Db } from '../../../platform/db.ts';
import type { Statement } from '../../../platform/statement.ts';
import type { TransactionFilter } from '../model/filter.ts';
import { readSort, type SortKey, type TransactionSort } from '../model/sort.ts';
import type { Transaction } from '../model/transaction.ts';
import { conditionsOf, createdBounds, type Conditions } from './conditions.sql.ts';
import type { AddValue, Bounds, Building } from './statement-building.ts';
import { TRANSACTION_COLUMNS, type TransactionColumns } from '../model/columns.sql.ts';

/** A page of a list of transactions. The page begins behind `position`. */
export type TransactionPage = {
  readonly sort: TransactionSort;
  readonly columns: TransactionColumns;
  readonly filter: TransactionFilter;
  readonly direction: PageRequest['direction'];
  readonly position: Position | null;
  readonly limit: number;
};

/** A column that leads from a payment to a record that has payments. */
export type OwnerColumn = 'buyer_id' | 'payment_method_id' | 'payment_service_id';

/** The records whose payments are listed, each in a page of its own. */
export type Owners = { readonly column: OwnerColumn; readonly ids: readonly string[] };

/** Reads one row more than the page. A page going backward is in reverse order. */
export async function readTransactionPage(
  db: Db,
  merchantAccountId: string,
  page: TransactionPage,
): Promise<readonly Transaction[]> {
  return await readRows(db, listStatement(merchantAccountId, page), TRANSACTION_COLUMNS[page.columns]);
}

/**
 * Reads the same page for each owner, in the order of their ids. One statement reads all. Each page has one row more, and one
 * going backward is in reverse order.
 */
export async function readTransactionPages(
  db: Db,
  merchantAccountId: string,
  page: TransactionPage,
  owners: Owners,
): Promise<readonly (readonly Transaction[])[]> {
  const statement = listStatement(merchantAccountId, page, owners);
  const rows = await db.query<readonly unknown[]>({ ...statement, asArrays: true });
  const columns = TRANSACTION_COLUMNS[page.columns];
  const pages = owners.ids.map((): Transaction[] => []);
  for (const values of rows) pages[Number(values[0]) - 1]?.push(columns.read(values, 1));
  return pages;
}

/** Returns the statement of a page. The text of a page without a filter is built once for each name. */
export function listStatement(
  merchantAccountId: string,
  page: TransactionPage,
  owners: Owners | null = null,
): Statement {
  if (!isEmpty(page.filter)) return buildStatement(merchantAccountId, page, owners);
  const name = nameOf(page, owners);
  const text = texts.get(name);
  if (text === undefined) {
    const built = buildStatement(merchantAccountId, page, owners);
    texts.set(name, built.text);
    // Without a filter there is only one good plan, so the statement is prepared.
    return { ...built, name };
  }
  const { position, limit } = page;
  const behind = position ? [position.value, position.id] : [];
  return { name, text, values: [merchantAccountId, ...(owners ? [owners.ids] : []), ...behind, limit + 1] };
}

/** The texts of statements by name. There are as many names as sorts, directions, owners and column sets. */
const texts = new Map<string, string>();

/**
 * Builds the statement of a page from the given filters only. Postgres plans for their values. The rarity of a value
 * decides between walking the list in order and collecting the few matches. Rows found by terms come in the order of
 * creation. A page of the most common term therefore stops when full. For another sort, Postgres reads and sorts all
 * matches.
 *
 * With owners, the statement reads one page for each, and a row starts with the number of its owner.
 */
function buildStatement(merchantAccountId: string, page: TransactionPage, owners: Owners | null): Statement {
  const { sort, filter, direction, position, limit } = page;
  const { key, descending } = readSort(sort);
  const { values, value, account, ids } = beginStatement(merchantAccountId, owners);
  const order = ordering(descending === (direction === 'forward'));
  const created = createdBounds(filter, value);
  const behind = position
    ? order.behind(`${value(position.value)}::${TYPES[key]}`, value(position.id))
    : nowhere;
  const byCreation = key === 'created_at';
  const bounds: Bounds = byCreation
    ? (...columns) => [...created(...columns), ...behind(...columns)]
    : created;
  const { where, sources } = rowsOf(filter, owners, {
    value,
    account,
    bounds,
    order: byCreation ? order.by('created_at', 'id') : '',
  });
  const conditions = [
    ...where,
    ...(byCreation ? [] : behind(`t.${key}`, 't.id')),
    ...(key === 'updated_at' ? updatedSince(filter, value) : []),
  ];
  const isFound = sources.length > 0;
  const isCollected = isFound || (!byCreation && owners !== null && HAVE_FEW.has(owners.column));
  const sorted = order.by(
    isCollected ? COLLECTED[key] : `t.${key}`,
    byCreation && isFound ? 's0.id' : 't.id',
  );
  const columns = TRANSACTION_COLUMNS[page.columns].select('t');
  const text = `SELECT ${columns} FROM ${fromOf(sources)} WHERE ${conditions.join(' AND ')}
      ${sorted} LIMIT ${value(limit + 1)}`;
  return {
    name: null,
    text: ids === null ? text : forEachOwner(ids, text, 'found.*', order.keys(`found.${key}`, 'found.id')),
    values,
  };
}

/** Begins a statement about the transactions of an account. `ids` is the parameter of the owners, or null without owners. */
export function beginStatement(merchantAccountId: string, owners: Owners | null) {
  const values: unknown[] = [];
  const value: AddValue = (each) => `$${values.push(each)}`;
  const account = `${value(merchantAccountId)}::text`;
  return { values, value, account, ids: owners && `${value(owners.ids)}::uuid[]` };
}

/** Returns the conditions of the rows of an account that meet a filter. With owners, of the rows of the present owner. */
export function rowsOf(filter: TransactionFilter, owners: Owners | null, building: Building): Conditions {
  const { where, sources } = conditionsOf(filter, building);
  const own = [
    `t.merchant_account_id = ${building.account}`,
    ...(owners ? [`t.${owners.column} = owner.id`] : []),
    ...(sources.length > 0 ? [] : building.bounds('t.created_at', 't.id')),
  ];
  return { where: [...own, ...where], sources };
}

/**
 * Bounds the change by the creation, because no row changes before its creation. Without this bound, a walk from the oldest
 * change would visit every older row. One day covers clocks that differ.
 */
const updatedSince = ({ createdAtGte }: TransactionFilter, value: AddValue): readonly string[] =>
  createdAtGte === null ? [] : [`t.updated_at >= ${value(createdAtGte)}::timestamptz - interval '1 day'`];

/** Tells whether a filter has no condition. Its statement has only one good plan. */
export const isEmpty = (filter: TransactionFilter): boolean =>
  Object.values(filter).every((each) => each === null);

/** Postgres cuts a longer name than 63 characters. */
const nameOf = ({ sort, columns, direction, position }: TransactionPage, owners: Owners | null): string =>
  `${owners ? NAMES[owners.column] : 'list_transactions'}_${columns}_${sort}_${direction}${position ? '_on' : ''}`;

/** The names of the statements about the transactions of a record. */
export const NAMES = {
  buyer_id: 'transactions_of_buyer',
  payment_method_id: 'transactions_of_method',
  payment_service_id: 'transactions_of_service',
} as const satisfies Record<OwnerColumn, string>;

/** Runs a statement for each owner. A row starts with the owner's number, from 1. The keys sort the rows of an owner. */
export const forEachOwner = (ids: string, text: string, columns: string, keys: string): string =>
  `SELECT owner.number, ${columns} FROM unnest(${ids}) WITH ORDINALITY AS owner (id, number), LATERAL (${text}) found
    ORDER BY owner.number, ${keys}`;

/** The owners with so few payments that these are collected before they are sorted. A payment service may have most of all. */
const HAVE_FEW: ReadonlySet<OwnerColumn> = new Set(['buyer_id', 'payment_method_id']);

/**
 * Returns the FROM clause that joins the sources. The first source leads in its order. Every source's index begins with the
 * moment of creation.
 */
export function fromOf(sources: readonly string[]): string {
  if (sources.length === 0) return 'transaction t';
  const [first, ...others] = sources.map((source, index) => `(${source}) s${index}`);
  const joined = others.map(
    (source, index) =>
      `JOIN ${source} ON (s${index + 1}.created_at, s${index + 1}.id) = (s0.created_at, s0.id)`,
  );
  return [first, ...joined, 'JOIN transaction t ON t.id = s0.id'].join(' ');
}

/**
 * The sort of rows found by terms. Rows come in order of creation. For other sorts the expression hides the index's order.
 * The planner would otherwise walk that index, hope for an early end, and compare each row with every match.
 */
const COLLECTED = {
  created_at: 's0.created_at',
  updated_at: `t.updated_at + interval '0'`,
  amount: 't.amount + 0',
} as const satisfies Record<SortKey, string>;

const TYPES = {
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  amount: 'int',
} as const satisfies Record<SortKey, string>;

/** Returns the order of a page by a column and the id, and the condition for rows behind a position. */
const ordering = (down: boolean) => {
  const way = down ? 'DESC' : 'ASC';
  const keys = (column: string, id: string): string => `${column} ${way}, ${id} ${way}`;
  return {
    keys,
    by: (column: string, id: string): string => `ORDER BY ${keys(column, id)}`,
    behind:
      (value: string, idValue: string): Bounds =>
      (column, id) => [`(${column}, ${id}) ${down ? '<' : '>'} (${value}, ${idValue}::uuid)`],
  };
};

const nowhere: Bounds = () => [];
