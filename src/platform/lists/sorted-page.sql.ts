import { countBounded, readBounded, type Bounded, type Bounds } from './bounded-list.sql.ts';
import type { BoundedList } from './scan-plan.sql.ts';
import { readRows } from '../database/column-set.ts';
import type { Db } from '../database/db.ts';
import type { Listed, Filter } from './list-filters.sql.ts';
import { readSort } from './sort.ts';
import {
  isEmpty,
  ordering,
  SORT_TYPES,
  sortedList,
  type SortedPage,
  type SortedTable,
} from './sorted-list.sql.ts';
import { plannedOnce, type Statement } from '../database/statement.ts';

/** A sorted list with its filters other than ranges of sort columns. */
export type Sorted<Row> = SortedTable<Row> & {
  readonly page: SortedPage;
  readonly filtersOf: (listed: Listed) => readonly Filter[];
};

/**
 * Reads the first `limit` rows of a page: in the order of the sort going forward, against it going backward. Refuses a filter
 * that would scan more rows.
 */
export async function readSortedPage<Row>(
  db: Db,
  list: Sorted<Row>,
  bounds: Bounds,
): Promise<Bounded<readonly Row[]>> {
  if (!isEmpty(list.page.filter)) return await readBounded(db, describe(list), bounds);
  return { found: await readRows(db, pageStatement(list, bounds.limit), list.columns) };
}

/** Counts the rows of all pages up to `limit`. Refuses as `readSortedPage` does. */
export async function countSorted(db: Db, list: Sorted<unknown>, bounds: Bounds): Promise<Bounded<number>> {
  if (!isEmpty(list.page.filter)) return await countBounded(db, newestOf(list), bounds);
  const { table, account } = list;
  // The order keeps Postgres from reading the table, which could begin with the rows of other accounts.
  const [row] = await db.query<readonly [number]>({
    ...plannedOnce(
      `count_${table.name}s`,
      () => `SELECT count(*)::int FROM (SELECT FROM ${table.name} t WHERE ${listCondition(list)}
      ORDER BY t.created_at, t.id LIMIT $2::int) matches`,
    ),
    values: [account, bounds.limit],
    asArrays: true,
  });
  return { found: row?.[0] ?? 0 };
}

const describe = <Row>({ page, filtersOf, ...table }: Sorted<Row>) => sortedList(table, page, filtersOf);

/** Describes the same rows from the newest on. */
export const newestOf = <Row>({ page: { filter }, ...list }: Sorted<Row>): BoundedList =>
  describe({ ...list, page: { sort: 'created_at_desc', direction: 'forward', position: null, filter } });

/** Returns the statement of a page without a filter. Such a page has only one good plan, so the statement is prepared. */
function pageStatement(list: Sorted<unknown>, limit: number): Statement {
  const { table, account, columns, page } = list;
  const { sort, direction, position } = page;
  const name = `list_${table.name}s_${columns.name}_${sort}_${direction}${position ? '_on' : ''}`;
  return {
    ...plannedOnce(name, () => pageTextOf(list)),
    values: [account, limit, ...(position ? [position.value, position.id] : [])],
  };
}

function pageTextOf({ table, columns, page: { sort, direction, position } }: Sorted<unknown>): string {
  const { key, descending } = readSort(sort);
  const order = ordering(descending === (direction === 'forward'));
  const behind = position ? `AND ${order.behind(`t.${key}`, 't.id', `$3::${SORT_TYPES[key]}`, '$4')}` : '';
  return `SELECT ${columns.select('t')} FROM ${table.name} t
      WHERE ${listCondition({ table })} ${behind} ORDER BY ${order.keys(`t.${key}`, 't.id')} LIMIT $2::int`;
}

const listCondition = ({ table: { only } }: Pick<Sorted<unknown>, 'table'>): string =>
  `t.merchant_account_id = $1::text${only === null ? '' : ` AND ${only}`}`;
