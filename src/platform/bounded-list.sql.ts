import { readRows, type ColumnSet } from './column-set.ts';
import type { Db } from './db.ts';
import type { Filter, Lead } from './list-filters.sql.ts';
import { built, createNames, type AddValue, type Part } from './built-statement.ts';
import type { Statement } from './statement.ts';

// Postgres limits the rows that a statement answers, and not those that it visits. A filter that hardly any row meets would
// visit a whole table. So each statement here visits one range of an index inside a LIMIT, and filters the rows outside.

/** A list of an account's rows. */
export type BoundedList = {
  readonly table: string;
  readonly account: string;
  /** A condition on `t` that every row must meet, and that the index of the order has. Null without one. */
  readonly only: string | null;
  /** The order. An index has the account, this column and the id. */
  readonly sort: {
    readonly column: string;
    readonly down: boolean;
    /** True if rows are stored in about this order, so that neighbours share pages. */
    readonly isStored: boolean;
  };
  /** Conditions on the sort column and the id of `t`: the range, and the position behind which a page starts. */
  readonly range: Part<readonly string[]>;
  /** A row must meet all. */
  readonly filters: readonly Filter[];
};

/** A list with the columns of its rows. */
export type BoundedRows<Row> = BoundedList & { readonly columns: ColumnSet<Row> };

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
  const way = await chooseWay(db, list, visits);
  const found = await read(built((value) => pageText(list, way, limit, value)));
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
  const [row] = await db.query<readonly [number]>(countStatement(list, way, limit));
  const found = row?.[0] ?? 0;
  return way.ordered && found < limit ? await unlessMore(db, list, way, found) : { found };
}

/** The visited range: that of a filter's lead, or all rows of the account. Without the order, all rows are collected. */
type Way = {
  readonly lead: Lead | null;
  readonly ordered: boolean;
  readonly visits: number;
  /** Without a lead: a filter that each visited row meets, because its index has the order of the list. */
  readonly within: Filter | null;
  /** The filters that the visited rows must still meet. */
  readonly filters: readonly Filter[];
};

/** An entry of an index is cheaper to visit than a row. */
const ENTRIES_PER_ROW = 5;

/** A row is dearer to visit if its neighbours in the range are stored elsewhere. */
const SCATTERED_PER_ROW = 0.4;

/** The visits of a way in place of one row. */
function weightOf({ sort }: BoundedList, way: Omit<Way, 'visits'>): number {
  if (way.ordered && needsNoRow(way)) return ENTRIES_PER_ROW;
  return way.ordered && way.lead === null && sort.isStored ? 1 : SCATTERED_PER_ROW;
}

/** The most rows of a filter that are collected, whatever the order of the list. */
export const collectable = (visits: number): number => Math.floor(visits * SCATTERED_PER_ROW);

/** The part of the permitted visits that a page may spend before its leads are counted. */
const FRONT_SHARE = 0.1;

/**
 * Returns a short walk in the order of the list, along the index of a filter if there is one. Often it fills a page, without
 * a count of the leads. Null if a filter is rare.
 */
function frontOf(list: BoundedList, visits: number): Way | null {
  if (list.filters.some(({ lead }) => lead?.rare)) return null;
  const within = list.filters.find(({ lead }) => lead?.ordered && lead.exact && lead.ofRows) ?? null;
  const filters = list.filters.filter((each) => each !== within);
  return { lead: null, ordered: true, visits: Math.floor(visits * FRONT_SHARE), within, filters };
}

const named = createNames('read_front');

/** Reads the front. It gets a name, because its plan is the same for all values: a walk along the same index. */
const frontStatement = (list: BoundedRows<unknown>, way: Way, limit: number): Statement =>
  named({ ...built((value) => pageText(list, way, limit, value)), isShort: true });

/** Chooses the lead with the fewest rows if they can be collected. Otherwise the list is walked in its order. */
async function chooseWay(db: Db, list: BoundedList, visits: number): Promise<Way> {
  const leading = list.filters.filter(({ lead }) => lead !== null);
  const counts = leading.length === 0 ? [] : await countLeads(db, leading, visits);
  const fewest = Math.min(...counts);
  if (fewest <= collectable(visits)) return wayOf(list, leading[counts.indexOf(fewest)], false, visits);
  return wayOf(
    list,
    leading.find(({ lead }) => lead?.ordered),
    true,
    visits,
  );
}

function wayOf(list: BoundedList, leading: Filter | undefined, ordered: boolean, visits: number): Way {
  const { filters } = list;
  const lead = leading?.lead ?? null;
  const others = lead?.exact ? filters.filter((each) => each !== leading) : filters;
  const way = { lead, ordered, within: null, filters: others };
  return { ...way, visits: Math.floor(visits * weightOf(list, way)) };
}

/** True if the index alone tells which of the visited rows meet the filters. */
const needsNoRow = ({ lead, within, filters }: Omit<Way, 'visits'>): boolean =>
  lead === null ? within === null && filters.every(({ covered }) => covered !== null) : filters.length === 0;

/** Counts the rows of each lead. A count ends above the rows that can be collected. */
async function countLeads(db: Db, leading: readonly Filter[], visits: number): Promise<readonly number[]> {
  const statement = built((value) => {
    const end = value(collectable(visits) + 1);
    const counts = leading.map(
      ({ lead }) =>
        `(SELECT count(*)::int FROM (SELECT FROM (${lead?.entries(value, end)}) e LIMIT ${end}) entries)`,
    );
    return `SELECT ${counts.join(', ')}`;
  });
  const [counts = []] = await db.query<readonly number[]>(statement);
  return counts;
}

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

const sameValue = (one: unknown, other: unknown): boolean =>
  one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other;

/** Reads the rows of a page. If the index alone tells them, no other row is read. */
function pageText(list: BoundedRows<unknown>, way: Way, limit: number, value: AddValue): string {
  const { from, where, sorted } = visit(list, way, value);
  const end = `${orderOf(list, sorted)} LIMIT ${value(limit)}`;
  if (!way.ordered || !needsNoRow(way))
    return `SELECT ${list.columns.select('t')} FROM ${from} WHERE ${where} ${end}`;
  const keys = keysOf(list).map((key) => `${sorted}.${key}`);
  const page = `SELECT ${keys.join(', ')} FROM ${from} WHERE ${where} ${end}`;
  return `SELECT ${list.columns.select('t')} FROM (${page}) s ${withRow(list, value)} ${orderOf(list, 's')}`;
}

const countStatement = (list: BoundedList, way: Way, limit: number): Statement =>
  built((value) => {
    const { from, where } = visit(list, way, value);
    return `SELECT count(*)::int FROM (SELECT FROM ${from} WHERE ${where} LIMIT ${value(limit)}) matches`;
  });

/** A FROM item of the visited rows, the conditions on them, and the alias that has the order. */
type Visit = { readonly from: string; readonly where: string; readonly sorted: 't' | 's' };

function visit(list: BoundedList, way: Way, value: AddValue): Visit {
  const { lead, ordered, filters } = way;
  // Postgres plans for this number, also in a plan for all values.
  const most = String(way.visits);
  const conditions = filters.flatMap(({ where }) => where(value));
  if (lead === null) {
    const columns = needsNoRow(way)
      ? [...keysOf(list), ...filters.flatMap(({ covered }) => covered ?? [])]
      : ['*'];
    const walked = all([walk(list, columns, value), ...(way.within?.where(value) ?? [])]);
    const from = `(${walked} ${orderOf(list, 't')} LIMIT ${most}) t`;
    return { from, where: all(conditions), sorted: 't' };
  }
  if (!ordered) {
    const entries = lead.entries(value, most);
    const from = `(SELECT DISTINCT id FROM (SELECT id FROM (${entries}) e LIMIT ${most}) entries) s ${withRow(list, value)}`;
    return { from, where: all([...list.range(value), ...conditions]), sorted: 't' };
  }
  const walked = `(SELECT * FROM (${lead.entries(value, null)}) s ${orderOf(list, 's')} LIMIT ${most}) s`;
  const from = needsNoRow(way) ? walked : `${walked} ${withRow(list, value)}`;
  return { from, where: all(conditions), sorted: 's' };
}

/** The columns of the order. */
const keysOf = ({ sort: { column } }: BoundedList): readonly string[] =>
  column === 'id' ? ['id'] : [column, 'id'];

/** The rows of the account in the range of the list. The caller adds the order. */
const walk = (list: BoundedList, columns: readonly string[], value: AddValue): string =>
  `SELECT ${[...new Set(columns)].map((column) => `t.${column}`).join(', ')} FROM ${list.table} t
    WHERE ${all([...isListed(list, value), ...list.range(value)])}`;

const isListed = (list: BoundedList, value: AddValue): readonly string[] => [
  isOwn('t', list, value),
  ...(list.only === null ? [] : [list.only]),
];

const isOwn = (alias: string, { account }: BoundedList, value: AddValue): string =>
  `${alias}.merchant_account_id = ${value(account)}::text`;

/** Joins the row of each id. OFFSET 0 keeps the planner from other joins, which would visit further rows. */
const withRow = (list: BoundedList, value: AddValue): string =>
  `CROSS JOIN LATERAL (SELECT * FROM ${list.table} r WHERE ${isOwn('r', list, value)} AND r.id = s.id OFFSET 0) t`;

function orderOf(list: BoundedList, alias: string): string {
  const way = list.sort.down ? 'DESC' : 'ASC';
  return `ORDER BY ${keysOf(list)
    .map((key) => `${alias}.${key} ${way}`)
    .join(', ')}`;
}

const all = (conditions: readonly string[]): string =>
  conditions.length === 0 ? 'true' : conditions.join(' AND ');
