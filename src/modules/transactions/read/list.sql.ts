import type { PageRequest, Position } from '../../../kernel/page.ts';
import type { Db, Statement } from '../../../platform/db.ts';
import type { TransactionFilter } from '../model/filter.ts';
import { readSort, type SortKey, type TransactionSort } from '../model/sort.ts';
import type { Transaction } from '../model/transaction.ts';
import { conditionsOf, createdBounds, type AddValue, type Bounds } from './conditions.sql.ts';
import { toTransaction, type JsonRow } from '../model/rows.sql.ts';

/** A page of a list of transactions. `position` is what it begins behind. */
export type TransactionPage = {
  readonly sort: TransactionSort;
  readonly filter: TransactionFilter;
  readonly direction: PageRequest['direction'];
  readonly position: Position | null;
  readonly limit: number;
};

/** One row more than the page: in the order of the sort going forward, against it going backward. */
export async function readTransactionPage(
  db: Db,
  merchantAccountId: string,
  page: TransactionPage,
): Promise<readonly Transaction[]> {
  const rows = await db.query<{ transaction: JsonRow }>(listStatement(merchantAccountId, page));
  return rows.map(({ transaction }) => toTransaction(transaction));
}

/**
 * The statement of a page. It is made of the given filters only, and planned for their values: how rare a value is decides
 * between walking the list in its order and collecting the few matches. What is found by terms comes in the order of creation,
 * so that a page of even the most common term stops when it is full; for another sort, all that is found is read and sorted.
 */
export function listStatement(merchantAccountId: string, page: TransactionPage): Statement {
  const { sort, filter, direction, position, limit } = page;
  const { key, descending } = readSort(sort);
  const values: unknown[] = [];
  const value: AddValue = (each) => `$${values.push(each)}`;
  const account = `${value(merchantAccountId)}::text`;
  const order = ordering(descending === (direction === 'forward'));
  const created = createdBounds(filter, value);
  const behind = position
    ? order.behind(`${value(position.value)}::${TYPES[key]}`, value(position.id))
    : nowhere;
  const byCreation = key === 'created_at';
  const bounds: Bounds = byCreation
    ? (...columns) => [...created(...columns), ...behind(...columns)]
    : created;
  const { where, sources } = conditionsOf(filter, {
    value,
    account,
    bounds,
    order: byCreation ? order.by('created_at', 'id') : '',
  });
  const conditions = [
    `t.merchant_account_id = ${account}`,
    ...(sources.length > 0 ? [] : bounds('t.created_at', 't.id')),
    ...(byCreation ? [] : behind(`t.${key}`, 't.id')),
    ...(key === 'updated_at' ? updatedSince(filter, value) : []),
    ...where,
  ];
  const sortColumn = sources.length === 0 ? `t.${key}` : COLLECTED[key];
  const sortId = byCreation && sources.length > 0 ? 's0.id' : 't.id';
  return {
    // Without a filter there is but one good plan.
    name: Object.values(filter).every((each) => each === null) ? nameOf(page) : null,
    // The rows become JSON when the page is cut out, not before they are sorted.
    text: `SELECT row_to_json(t) AS transaction FROM (
      SELECT t.* FROM ${fromOf(sources)} WHERE ${conditions.join(' AND ')}
      ${order.by(sortColumn, sortId)} LIMIT ${value(limit + 1)}) t ${order.by(`t.${key}`, 't.id')}`,
    values,
  };
}

/**
 * Nothing is changed before it is made: without this, a walk from the oldest change would come through everything that was
 * made before. The day is for clocks that differ.
 */
const updatedSince = ({ createdAtGte }: TransactionFilter, value: AddValue): readonly string[] =>
  createdAtGte === null ? [] : [`t.updated_at >= ${value(createdAtGte)}::timestamptz - interval '1 day'`];

const nameOf = ({ sort, direction, position }: TransactionPage): string =>
  `list_transactions_${sort}_${direction}${position ? '_on' : ''}`;

/** The first source leads, in its order. All of them know when a transaction was made, which their index begins with. */
function fromOf(sources: readonly string[]): string {
  if (sources.length === 0) return 'transaction t';
  const [first, ...others] = sources.map((source, index) => `(${source}) s${index}`);
  const joined = others.map(
    (source, index) =>
      `JOIN ${source} ON (s${index + 1}.created_at, s${index + 1}.id) = (s0.created_at, s0.id)`,
  );
  return [first, ...joined, 'JOIN transaction t ON t.id = s0.id'].join(' ');
}

/**
 * What to sort by that has been found by terms. By creation it comes in order. For other sorts the order of an index is hidden:
 * the planner would walk it, in the hope of an early end, and compare each row with everything that was found.
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

/** The order of a page by a column and the id, and what lies behind a position in it. */
const ordering = (down: boolean) => ({
  by: (column: string, id: string): string =>
    `ORDER BY ${column} ${down ? 'DESC' : 'ASC'}, ${id} ${down ? 'DESC' : 'ASC'}`,
  behind:
    (value: string, idValue: string): Bounds =>
    (column, id) => [`(${column}, ${id}) ${down ? '<' : '>'} (${value}, ${idValue}::uuid)`],
});

const nowhere: Bounds = () => [];
