import { readRows } from '../database/column-set.ts';
import type { Db } from '../database/db.ts';
import type { Lead } from './list-filters.sql.ts';
import { built, createNames } from '../database/built-statement.ts';
import {
  all,
  countText,
  isListed,
  keysOf,
  orderOf,
  pageText,
  walk,
  type BoundedRows,
} from './list-visit.sql.ts';
import { chooseWay, frontOf, onlyLeadOf, type BoundedList, type Way } from './list-way.sql.ts';
import type { Statement } from '../database/statement.ts';

// Postgres limits the rows that a statement answers, and not those that it visits. A filter that hardly any row meets would
// visit a whole table. So each statement here visits one range of an index inside a LIMIT, and filters the rows outside.

/** The rows or the count that the caller wants, and the rows that one statement may visit. */
export type Bounds = { readonly limit: number; readonly visits: number };

/** The end of the permitted visits, before the list had everything. */
export type TooBroad = {
  /** The permitted number of visits. */
  readonly visits: number;
  /** The sort column of the last visited row. */
  readonly reached: unknown;
  /** True if the next row has the same value. */
  readonly isTied: boolean;
  /** True if the values fall from row to row. */
  readonly down: boolean;
};

/** The found rows or their count, or the refusal to visit more rows. */
export type Bounded<Value> = { readonly found: Value } | { readonly tooBroad: TooBroad };

/**
 * Reads the first `limit` rows of a list. Each statement visits at most `visits` neighbouring rows, fewer scattered ones, or
 * more entries of an index. Refuses if fewer than `limit` rows were found among them, and other rows remain.
 */
export async function readBounded<Row>(
  db: Db,
  list: BoundedRows<Row>,
  { limit, visits }: Bounds,
): Promise<Bounded<readonly Row[]>> {
  const read = (statement: Statement) => readRows(db, statement, list.columns);
  const front = frontOf(list, visits);
  const first = front ? await read(frontStatement(list, front, limit)) : [];
  if (first.length === limit) return { found: first };
  const only = onlyLeadOf(list, visits);
  const collected = only ? await read(collection(list, only, limit)) : [];
  if (collected.length > 0) return { found: collected };
  const way = await chooseWay(db, list, visits);
  const found = await read(
    way.ordered ? built((value) => pageText(list, way, limit, value)) : collection(list, way, limit),
  );
  return way.ordered && found.length < limit ? await unlessMore(db, list, way, found) : { found };
}

/** Reads the first `limit` rows of a list, however many rows Postgres visits. For background work. */
export async function readUnbounded<Row>(
  db: Db,
  list: BoundedRows<Row>,
  limit: number,
): Promise<readonly Row[]> {
  const statement = built((value) => {
    const own = [...isListed(list, value), ...list.range(value)];
    const conditions = list.filters.flatMap(({ where }) => where(value));
    return `SELECT ${list.columns.select('t')} FROM ${list.table} t WHERE ${all([...own, ...conditions])}
      ${orderOf(list, 't')} LIMIT ${value(limit)}`;
  });
  return await readRows(db, statement, list.columns);
}

/** Counts the rows of a list up to `limit`. Refuses as `readBounded` does. */
export async function countBounded(
  db: Db,
  list: BoundedList,
  { limit, visits }: Bounds,
): Promise<Bounded<number>> {
  const way = await chooseWay(db, list, visits);
  const [row] = await db.query<readonly [number]>(built((value) => countText(list, way, limit, value)));
  const found = row?.[0] ?? 0;
  return way.ordered && found < limit ? await unlessMore(db, list, way, found) : { found };
}

// These statements have names, because their plans are the same for all values. They walk along a certain index up to a LIMIT.
const namedFront = createNames('read_front');
const namedCollection = createNames('read_collection');

const frontStatement = (list: BoundedRows<unknown>, way: Way, limit: number): Statement =>
  namedFront({ ...built((value) => pageText(list, way, limit, value)), isShort: true });

/** Collects a lead's rows. */
const collection = (list: BoundedRows<unknown>, way: Way, limit: number): Statement =>
  namedCollection(built((value) => pageText(list, way, limit, value)));

/** Answers what was found if the way has no further rows. */
async function unlessMore<Value>(db: Db, list: BoundedList, way: Way, found: Value): Promise<Bounded<Value>> {
  const tooBroad = await readReach(db, list, way.visits, way.lead);
  return tooBroad ? { tooBroad } : { found };
}

/**
 * Answers how far so many visits lead in the order of a list, without its filters. Null if the list has no further rows.
 *
 * - `lead`: visits the rows of this lead alone.
 */
export async function readReach(
  db: Db,
  list: BoundedList,
  visits: number,
  lead: Lead | null = null,
): Promise<TooBroad | null> {
  const { column, down } = list.sort;
  const statement = built((value) => {
    const entries = lead?.entries(value, null) ?? walk(list, keysOf(list), value);
    return `SELECT t.${column} FROM (${entries}) t ${orderOf(list, 't')} OFFSET ${value(visits - 1)} LIMIT 2`;
  });
  const [last, next] = await db.query<readonly [unknown]>(statement);
  if (!last || !next) return null;
  return { visits, down, reached: last[0], isTied: sameValue(last[0], next[0]) };
}

/** Compares two values of a sort column. */
export const sameValue = (one: unknown, other: unknown): boolean =>
  one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other;
