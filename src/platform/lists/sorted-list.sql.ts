import type { PageRequest, Position } from '../../kernel/page.ts';
import type { AddValue, Part } from '../database/built-statement.ts';
import type { BoundedRows } from './scan.sql.ts';
import type { ColumnSet } from '../database/column-set.ts';
import { inRows, type Listed, type ListedTable, type Filter } from './list-filters.sql.ts';
import { readSort, type Sort, type SortKey } from './sort.ts';

/** The filters that are ranges of a sort column. A list without the column lacks the filters. */
export type RangeFilter = {
  readonly createdAtGte: Date | null;
  readonly createdAtLte: Date | null;
  readonly updatedAtGte?: Date | null;
  readonly updatedAtLte?: Date | null;
  readonly amountEq?: number | null;
  readonly amountGte?: number | null;
  readonly amountLte?: number | null;
};

/** The rules of a list's filters other than ranges of sort columns. A forgotten filter does not compile. */
export type Rules<Given> = {
  readonly [Name in Exclude<keyof Given, keyof RangeFilter>]: (
    value: NonNullable<Given[Name]>,
    listed: Listed,
  ) => readonly Filter[];
};

/** Returns the function that makes the given filters, by their rules. Ranges of sort columns are none of them. */
export const filtersBy =
  <Given extends RangeFilter>(rules: Rules<Given>) =>
  (filter: Given, listed: Listed): readonly Filter[] =>
    (Object.keys(rules) as (keyof Rules<Given>)[]).flatMap((name) => {
      const value = filter[name];
      return value == null ? [] : rules[name](value, listed);
    });

/** A page of a sorted list. The page begins behind `position`. */
export type SortedPage = {
  readonly sort: Sort;
  readonly filter: RangeFilter;
  readonly direction: PageRequest['direction'];
  readonly position: Position | null;
};

/** The table of a sorted list, with the account and the columns to read. */
export type SortedTable<Row> = {
  readonly table: ListedTable;
  readonly account: string;
  readonly columns: ColumnSet<Row>;
};

/** Describes a list by a sort column and the id. Ranges of sort columns follow the filters of `filtersOf`. */
export function sortedList<Row>(
  { table, account, columns }: SortedTable<Row>,
  { sort, filter, direction, position }: SortedPage,
  filtersOf: (listed: Listed) => readonly Filter[],
): BoundedRows<Row> {
  const { key, descending } = readSort(sort);
  const order = ordering(descending === (direction === 'forward'));
  const behind = (column: string, id: string): Part<readonly string[]> =>
    position === null
      ? () => []
      : (value) => [
          order.behind(column, id, `${value(position.value)}::${SORT_TYPES[key]}`, value(position.id)),
        ];
  const created = (column: string, id: string): Part<readonly string[]> => {
    const bounds = rangeOf('created_at', filter, column);
    const after = key === 'created_at' ? behind(column, id) : () => [];
    return (value) => [...bounds(value), ...after(value)];
  };
  const range: Part<readonly string[]> = (value) => [
    ...rangeOf(key, filter, `t.${key}`)(value),
    ...behind(`t.${key}`, 't.id')(value),
    ...(key === 'updated_at' ? updatedSince(filter, value) : []),
  ];
  const listed = { table, account, isByCreation: key === 'created_at', created };
  return {
    table: table.name,
    only: table.only,
    account,
    columns,
    sort: { column: key, down: order.isDown, isStored: key === 'created_at' },
    range,
    filters: [...filtersOf(listed), ...otherRanges(key, filter, listed)],
  };
}

/**
 * Bounds the change by the creation, because no row changes before its creation. Without this bound, a scan from the oldest
 * change would read every older row. One day covers clocks that differ.
 */
const updatedSince = ({ createdAtGte }: RangeFilter, value: AddValue): readonly string[] =>
  createdAtGte === null ? [] : [`t.updated_at >= ${value(createdAtGte)}::timestamptz - interval '1 day'`];

const RANGES: readonly (readonly [SortKey, ...(keyof RangeFilter)[]])[] = [
  ['created_at', 'createdAtGte', 'createdAtLte'],
  ['updated_at', 'updatedAtGte', 'updatedAtLte'],
  ['amount', 'amountEq', 'amountGte', 'amountLte'],
];

const OPERATORS = { Gte: '>=', Lte: '<=', Eq: '=' } as const;

/** The types of the sort columns. */
export const SORT_TYPES = {
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  amount: 'int',
} as const satisfies Record<SortKey, string>;

/** Returns the conditions of a range on a column. */
const rangeOf =
  (key: SortKey, filter: RangeFilter, column: string): Part<readonly string[]> =>
  (value) =>
    RANGES.filter(([each]) => each === key).flatMap(([, ...names]) =>
      names
        .filter((name) => filter[name] != null)
        .map((name) => {
          const operator = OPERATORS[name.slice(name.search(/(Gte|Lte|Eq)$/)) as keyof typeof OPERATORS];
          return `${column} ${operator} ${value(filter[name])}::${SORT_TYPES[key]}`;
        }),
    );

/** Returns the ranges of columns other than the sort column as filters. Each column has an index. */
const otherRanges = (sorted: SortKey, filter: RangeFilter, listed: Listed): readonly Filter[] =>
  RANGES.filter(([key]) => key !== sorted).flatMap(([key, ...names]) => {
    if (names.every((name) => filter[name] == null)) return [];
    const where = rangeOf(key, filter, `t.${key}`);
    const isCovered = key === 'amount' && listed.isByCreation && listed.table.hasAmount;
    return [{ where, index: inRows([where], listed, [`t.${key}`, 't.id']), isCovered }];
  });

/** Returns the order of a page by a column and the id, and the condition for rows behind a position. */
export const ordering = (isDown: boolean) => {
  const direction = isDown ? 'DESC' : 'ASC';
  return {
    isDown,
    keys: (column: string, id: string): string => `${column} ${direction}, ${id} ${direction}`,
    behind: (column: string, id: string, position: string, positionId: string): string =>
      `(${column}, ${id}) ${isDown ? '<' : '>'} (${position}, ${positionId}::uuid)`,
  };
};

/** Tells whether a filter has no condition. Its statement has only one good plan, so the statement is prepared. */
export const isEmpty = (filter: object): boolean => Object.values(filter).every((each) => each === null);
