import { readReach, sameValue, type Bounded, type Bounds, type TooBroad } from './bounded-list.sql.ts';
import { built, createNames, type AddValue } from '../database/built-statement.ts';
import type { Db } from '../database/db.ts';
import {
  countText,
  keysOf,
  orderOf,
  pageText,
  sortKeys,
  visit,
  withRow,
  type BoundedRows,
} from './list-visit.sql.ts';
import { chooseWay, wayOf, type Way } from './list-way.sql.ts';
import { momentOf } from './too-broad.ts';

// The lists of several records, such as the payments of each buyer on a page. One statement walks all lists. The records share
// the visits that one list may have.

/** The lists of several records: rows of a table, by a column that names the record. */
export type OwnedLists<Row> = {
  readonly ids: readonly string[];
  readonly column: string;
  /** The list of the record `owner.id`. Its first filter leads to the rows of the record. */
  readonly each: BoundedRows<Row>;
  /** The rows of some of the records in one list. */
  readonly of: (ids: readonly string[]) => BoundedRows<Row>;
};

/**
 * Reads the first `limit` rows of each list, in the order of the ids. Refuses the lists that need more visits. All refusals
 * name the same range, which is small enough for each list.
 */
export const readOwned = <Row>(
  db: Db,
  lists: OwnedLists<Row>,
  bounds: Bounds,
): Promise<readonly Bounded<readonly Row[]>[]> => answerAll(db, lists, bounds, pagesOf(db, lists, bounds));

/** Counts the rows of each list up to `limit`, in the order of the ids. Refuses as `readOwned` does. */
export const countOwned = (
  db: Db,
  lists: OwnedLists<unknown>,
  bounds: Bounds,
): Promise<readonly Bounded<number>[]> => answerAll(db, lists, bounds, countsOf(db, lists, bounds));

/** The statements for one kind of answer. */
type Reader<Value> = {
  /** Walks the list of each record. Answers in the order of the ids. */
  readonly walk: (ids: readonly string[], way: Way) => Promise<readonly Walked<Value>[]>;
  /** Visits the rows of all records together. A record without rows has no answer. */
  readonly gather: (list: BoundedRows<unknown>, way: Way) => Promise<ReadonlyMap<string, Value>>;
  readonly nothing: Value;
  /** True if further rows would not change the answer. */
  readonly isFull: (found: Value) => boolean;
  /** The visits that each record may have at least. */
  readonly least: number;
};

/** The answer for one record, and the end of its walk if further rows remain. */
type Walked<Value> = { readonly found: Value; readonly end: End | null };
type End = Pick<TooBroad, 'reached' | 'isTied'>;

/** The answers by the id of the record. */
type Answers<Value> = ReadonlyMap<string, Bounded<Value>>;

/**
 * Walks the list of each record. A few remaining records have more visits each, so their lists are walked again. The last try
 * visits the rows of all remaining records together, for example along another filter.
 */
async function answerAll<Value>(
  db: Db,
  lists: OwnedLists<unknown>,
  { visits }: Bounds,
  reader: Reader<Value>,
): Promise<readonly Bounded<Value>[]> {
  const ids = lists.ids.map((id) => id.toLowerCase());
  const answers = new Map<string, Bounded<Value>>();
  const walk = (open: readonly string[]) => walkEach(lists, open, visits, reader);
  const walkAgain = async (open: readonly string[]) =>
    open.length > ids.length / 2 ? NO_ANSWERS : await walk(open);
  const gather = (open: readonly string[]) => gatherAll(db, lists.of(open), open, visits, reader);
  for (const read of [walk, walkAgain, gather]) {
    const open = ids.filter((id) => !isFound(answers.get(id)));
    if (open.length === 0) break;
    for (const [id, each] of await read(open)) answers.set(id, betterOf(answers.get(id), each));
  }
  const found = ids.map((id) => answers.get(id) ?? { found: reader.nothing });
  const refusal = nearest(found);
  return found.map((each) => ('found' in each || !refusal ? each : { tooBroad: refusal }));
}

const NO_ANSWERS: Answers<never> = new Map();

const isFound = (answer: Bounded<unknown> | undefined): boolean => answer !== undefined && 'found' in answer;

/** Walks the index of each record. */
async function walkEach<Value>(
  { each }: OwnedLists<unknown>,
  ids: readonly string[],
  visits: number,
  { walk, isFull, least }: Reader<Value>,
): Promise<Answers<Value>> {
  const way = wayOfEach(each, visits);
  const walked = await walk(ids, { ...way, visits: Math.max(least, Math.floor(way.visits / ids.length)) });
  const answers = walked.map(({ found, end }) =>
    end === null || isFull(found)
      ? { found }
      : { tooBroad: { ...end, visits: way.visits, down: each.sort.down } },
  );
  return new Map(answers.map((answer, index) => [ids[index] ?? '', answer]));
}

/** Returns the way through the rows of a record. */
function wayOfEach(each: BoundedRows<unknown>, visits: number): Way {
  const [leading] = each.filters;
  if (!leading?.lead?.ordered) return { ...wayOf(each, leading, false, visits), isAllOrNothing: true };
  const way = wayOf(each, leading, true, visits);
  // The index of the list's order may have all columns. Postgres could then walk that index through the rows of others.
  const isOfIndex = way.filters.every(({ isCovered }) => isCovered) && leading.isCovered;
  if (isOfIndex || way.filters.length === 0) return way;
  return { ...way, lead: null, within: leading, visits };
}

/** Visits the rows of all records together. */
async function gatherAll<Value>(
  db: Db,
  list: BoundedRows<unknown>,
  ids: readonly string[],
  visits: number,
  { gather, nothing, isFull }: Reader<Value>,
): Promise<Answers<Value>> {
  const way = await chooseWay(db, list, visits);
  const gathered = await gather(list, way);
  const values = ids.map((id) => [id, gathered.get(id) ?? nothing] as const);
  const isWhole = !way.ordered || values.every(([, found]) => isFull(found));
  const tooBroad = isWhole ? null : await readReach(db, list, way.visits, way.lead);
  return new Map(values.map(([id, found]) => [id, tooBroad && !isFull(found) ? { tooBroad } : { found }]));
}

/** Returns the later answer, but of two refusals the one with the larger range. */
function betterOf<Value>(earlier: Bounded<Value> | undefined, later: Bounded<Value>): Bounded<Value> {
  if (!earlier || 'found' in earlier || 'found' in later) return later;
  return isFarther(earlier.tooBroad, later.tooBroad) ? earlier : later;
}

/** Returns the refusal with the smallest range. Null without a refusal. */
const nearest = (answers: readonly Bounded<unknown>[]): TooBroad | null =>
  answers
    .flatMap((each) => ('tooBroad' in each ? [each.tooBroad] : []))
    .reduce<TooBroad | null>((one, other) => (one && isFarther(other, one) ? one : other), null);

/** Tells whether a walk led farther than another one. False without moments. */
function isFarther(one: TooBroad, other: TooBroad): boolean {
  const [end, otherEnd] = [momentOf(one), momentOf(other)];
  if (end === null || otherEnd === null) return false;
  return one.down ? end < otherEnd : end > otherEnd;
}

const namedPages = createNames('read_of_records');
const namedCounts = createNames('count_of_records');

const pagesOf = <Row>(
  db: Db,
  { each, column }: OwnedLists<Row>,
  { limit }: Bounds,
): Reader<readonly Row[]> => ({
  walk: async (ids, way) => {
    const statement = built((value) => {
      const found = { text: pageText(each, way, limit, value), columns: 'found.id IS NOT NULL, found.*' };
      return walkText(ids, endText(each, way, limit, value), found, value) + `, ${sortKeys(each, 'found')}`;
    });
    const rows = Map.groupBy(await db.query<WalkRow>(namedPages(statement)), ([number]) => Number(number));
    return ids.map((_, index) => {
      const own = rows.get(index + 1) ?? [];
      const found = own.filter(([, , , , isFound]) => isFound).map((row) => each.columns.read(row, 5));
      return { found, end: endOf(way, each, own[0]) };
    });
  },
  gather: async (list, way) => {
    const statement = built((value) => gatherText(list, way, { column, limit }, value));
    const rows = Map.groupBy(await db.query<readonly unknown[]>(statement), ([owner]) => String(owner));
    return new Map([...rows].map(([owner, own]) => [owner, own.map((row) => each.columns.read(row, 1))]));
  },
  nothing: [],
  isFull: (found) => found.length === limit,
  least: limit,
});

const countsOf = (db: Db, { each, column }: OwnedLists<unknown>, { limit }: Bounds): Reader<number> => ({
  walk: async (ids, way) => {
    const statement = built((value) => {
      const found = { text: countText(each, way, limit, value), columns: 'found.count' };
      return walkText(ids, endText(each, way, limit, value), found, value);
    });
    const rows = await db.query<WalkRow>(namedCounts(statement));
    return rows.map((row) => ({ found: Number(row[4]), end: endOf(way, each, row) }));
  },
  gather: async (list, way) => {
    const statement = built((value) => {
      const { from, where } = visit(list, way, `t.${column}`, value);
      return `SELECT t.${column}, least(count(*), ${value(limit)}::int)::int FROM ${from} WHERE ${where} GROUP BY t.${column}`;
    });
    return new Map(await db.query<readonly [string, number]>(statement));
  },
  nothing: 0,
  isFull: (found) => found === limit,
  least: 1,
});

/** The number of a record from 1, the entries at the end of its walk, their moments, and the answer. */
type WalkRow = readonly [number: unknown, ends: number, low: Date, high: Date, ...answer: unknown[]];

/** Runs a statement for each record, and reads the end of its walk. */
const walkText = (
  ids: readonly string[],
  end: string,
  found: { readonly text: string; readonly columns: string },
  value: AddValue,
): string =>
  `SELECT owner.number, walked.ends, walked.low, walked.high, ${found.columns}
    FROM unnest(${value(ids)}::uuid[]) WITH ORDINALITY AS owner (id, number)
    CROSS JOIN LATERAL (${end}) walked LEFT JOIN LATERAL (${found.text}) found ON true ORDER BY owner.number`;

/** Reads the last permitted entry of the index and the next one. Without filters, the limit ends the walk before them. */
function endText(each: BoundedRows<unknown>, way: Way, limit: number, value: AddValue): string {
  const { ordered, filters, visits } = way;
  if (ordered && filters.length === 0 && limit <= visits)
    return 'SELECT 0 AS ends, NULL::timestamptz AS low, NULL::timestamptz AS high';
  const direction = ordered && each.sort.down ? 'DESC' : 'ASC';
  return `SELECT count(*)::int AS ends, min(e.created_at) AS low, max(e.created_at) AS high FROM (
      SELECT s.created_at FROM (${each.filters[0]?.lead?.entries(value, null)}) s
      ORDER BY s.created_at ${direction}, s.id ${direction} OFFSET ${visits - 1} LIMIT 2) e`;
}

/** Returns the end of a walk. Null if the walk met all rows. A walk in another order than that of the list reached no place of it. */
function endOf(way: Way, { sort }: BoundedRows<unknown>, row: WalkRow | undefined): End | null {
  if (row === undefined || row[1] < 2) return null;
  const [, , low, high] = row;
  return { reached: way.ordered ? (sort.down ? high : low) : null, isTied: sameValue(low, high) };
}

/** Reads the first rows of each record from a way that the records share. */
function gatherText(
  list: BoundedRows<unknown>,
  way: Way,
  { column, limit }: { readonly column: string; readonly limit: number },
  value: AddValue,
): string {
  const { from, where, sorted } = visit(list, way, `t.${column}`, value);
  const keys = keysOf(list).map((key) => `${sorted}.${key}`);
  const placed = `SELECT t.${column} AS owner, ${keys.join(', ')},
      row_number() OVER (PARTITION BY t.${column} ${orderOf(list, sorted)}) AS place FROM ${from} WHERE ${where}`;
  const wanted = list.columns.select('t');
  return `SELECT s.owner, ${wanted} FROM (${placed}) s ${withRow(list, [wanted], value)}
    WHERE s.place <= ${value(limit)}::int ORDER BY s.place`;
}
