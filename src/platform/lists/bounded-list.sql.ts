import { readRows } from '../database/column-set.ts';
import type { Db } from '../database/db.ts';
import type { IndexScan } from './list-filters.sql.ts';
import { built, createNames } from '../database/built-statement.ts';
import {
  all,
  countText,
  listConditions,
  keysOf,
  orderOf,
  pageText,
  orderedScan,
  type BoundedRows,
} from './scan.sql.ts';
import {
  choosePlan,
  shortPlanOf,
  onlyIndexPlanOf,
  type BoundedList,
  type ScanPlan,
} from './scan-plan.sql.ts';
import type { Statement } from '../database/statement.ts';

// Postgres limits the rows that a statement answers, and not those that it scans. A filter that hardly any row meets would
// scan a whole table. So each statement here scans one range of an index inside a LIMIT, and filters the rows outside.

/** The rows or the count that the caller wants, and the rows that one statement may scan. */
export type Bounds = { readonly limit: number; readonly scanLimit: number };

/** The end of the permitted scan, before the list had everything. */
export type TooBroad = {
  /** The permitted number of scanned rows. */
  readonly scanLimit: number;
  /** The sort column of the last scanned row. */
  readonly lastValue: unknown;
  /** True if the next row has the same value. */
  readonly isTied: boolean;
  /** True if the values fall from row to row. */
  readonly down: boolean;
};

/** The found rows or their count, or the refusal to scan more rows. */
export type Bounded<Value> = { readonly found: Value } | { readonly tooBroad: TooBroad };

/**
 * Reads the first `limit` rows of a list. Each statement scans at most `scanLimit` neighbouring rows, fewer scattered ones, or
 * more entries of an index. Refuses if fewer than `limit` rows were found among them, and other rows remain.
 */
export async function readBounded<Row>(
  db: Db,
  list: BoundedRows<Row>,
  { limit, scanLimit }: Bounds,
): Promise<Bounded<readonly Row[]>> {
  const read = (statement: Statement) => readRows(db, statement, list.columns);
  const short = shortPlanOf(list, scanLimit);
  const first = short ? await read(shortScanStatement(list, short, limit)) : [];
  if (first.length === limit) return { found: first };
  const only = onlyIndexPlanOf(list, scanLimit);
  const collected = only ? await read(collection(list, only, limit)) : [];
  if (collected.length > 0) return { found: collected };
  const plan = await choosePlan(db, list, scanLimit);
  const found = await read(
    plan.ordered ? built((value) => pageText(list, plan, limit, value)) : collection(list, plan, limit),
  );
  return plan.ordered && found.length < limit ? await unlessMore(db, list, plan, found) : { found };
}

/** Reads the first `limit` rows of a list, however many rows Postgres scans. For background work. */
export async function readUnbounded<Row>(
  db: Db,
  list: BoundedRows<Row>,
  limit: number,
): Promise<readonly Row[]> {
  const statement = built((value) => {
    const own = [...listConditions(list, value), ...list.range(value)];
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
  { limit, scanLimit }: Bounds,
): Promise<Bounded<number>> {
  const plan = await choosePlan(db, list, scanLimit);
  const [row] = await db.query<readonly [number]>(built((value) => countText(list, plan, limit, value)));
  const found = row?.[0] ?? 0;
  return plan.ordered && found < limit ? await unlessMore(db, list, plan, found) : { found };
}

// These statements have names, because their plans are the same for all values. They scan a certain index up to a LIMIT.
const namedShortScan = createNames('read_short_scan');
const namedCollection = createNames('read_collection');

const shortScanStatement = (list: BoundedRows<unknown>, plan: ScanPlan, limit: number): Statement =>
  namedShortScan({ ...built((value) => pageText(list, plan, limit, value)), isShort: true });

/** Collects the rows of an index scan. */
const collection = (list: BoundedRows<unknown>, plan: ScanPlan, limit: number): Statement =>
  namedCollection(built((value) => pageText(list, plan, limit, value)));

/** Answers what was found if the plan has no further rows. */
async function unlessMore<Value>(
  db: Db,
  list: BoundedList,
  plan: ScanPlan,
  found: Value,
): Promise<Bounded<Value>> {
  const tooBroad = await readScanEnd(db, list, plan.scanLimit, plan.index);
  return tooBroad ? { tooBroad } : { found };
}

/**
 * Answers where a scan of so many rows ends in the order of a list, without its filters. Null if the list has no further rows.
 *
 * - `index`: scans the rows of this index scan alone.
 */
export async function readScanEnd(
  db: Db,
  list: BoundedList,
  scanLimit: number,
  index: IndexScan | null = null,
): Promise<TooBroad | null> {
  const { column, down } = list.sort;
  const statement = built((value) => {
    const entries = index?.entries(value, null) ?? orderedScan(list, keysOf(list), value);
    return `SELECT t.${column} FROM (${entries}) t ${orderOf(list, 't')} OFFSET ${value(scanLimit - 1)} LIMIT 2`;
  });
  const [last, next] = await db.query<readonly [unknown]>(statement);
  if (!last || !next) return null;
  return { scanLimit, down, lastValue: last[0], isTied: sameValue(last[0], next[0]) };
}

/** Compares two values of a sort column. */
export const sameValue = (one: unknown, other: unknown): boolean =>
  one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other;
