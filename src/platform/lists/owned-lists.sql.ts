import { readScanEnd, sameValue, type Bounded, type Bounds, type TooBroad } from './bounded-list.sql.ts';
import { built, createNames, type AddValue } from '../database/built-statement.ts';
import type { Db } from '../database/db.ts';
import {
  countText,
  keysOf,
  orderOf,
  pageText,
  sortKeys,
  scan,
  withRow,
  type BoundedRows,
} from './scan.sql.ts';
import { choosePlan, planOf, type ScanPlan } from './scan-plan.sql.ts';
import { momentOf } from './too-broad.ts';

// The lists of several records, such as the payments of each buyer on a page. One statement scans all lists. The records share
// the scan limit of one list.

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
 * Reads the first `limit` rows of each list, in the order of the ids. Refuses the lists that would scan more rows. All refusals
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
  readonly scanEach: (ids: readonly string[], plan: ScanPlan) => Promise<readonly Scan<Value>[]>;
  /** Scans the rows of all records together. A record without rows has no answer. */
  readonly scanTogether: (list: BoundedRows<unknown>, plan: ScanPlan) => Promise<ReadonlyMap<string, Value>>;
  readonly nothing: Value;
  /** True if further rows would not change the answer. */
  readonly isFull: (found: Value) => boolean;
  /** The rows that each record may scan at least. */
  readonly least: number;
};

/** The answer for one record, and the end of its scan if further rows remain. */
type Scan<Value> = { readonly found: Value; readonly end: End | null };
type End = Pick<TooBroad, 'lastValue' | 'isTied'>;

/** The answers by the id of the record. */
type Answers<Value> = ReadonlyMap<string, Bounded<Value>>;

/**
 * Scans the list of each record. A few remaining records may scan more rows each, so their lists are scanned again. The last try
 * scans the rows of all remaining records together, for example along another filter.
 */
async function answerAll<Value>(
  db: Db,
  lists: OwnedLists<unknown>,
  { scanLimit }: Bounds,
  reader: Reader<Value>,
): Promise<readonly Bounded<Value>[]> {
  const ids = lists.ids.map((id) => id.toLowerCase());
  const answers = new Map<string, Bounded<Value>>();
  const scanEach = (open: readonly string[]) => answerEach(lists, open, scanLimit, reader);
  const scanAgain = async (open: readonly string[]) =>
    open.length > ids.length / 2 ? NO_ANSWERS : await scanEach(open);
  const scanTogether = (open: readonly string[]) =>
    answerTogether(db, lists.of(open), open, scanLimit, reader);
  for (const read of [scanEach, scanAgain, scanTogether]) {
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
async function answerEach<Value>(
  { each }: OwnedLists<unknown>,
  ids: readonly string[],
  scanLimit: number,
  { scanEach, isFull, least }: Reader<Value>,
): Promise<Answers<Value>> {
  const plan = planOfEach(each, scanLimit);
  const scans = await scanEach(ids, {
    ...plan,
    scanLimit: Math.max(least, Math.floor(plan.scanLimit / ids.length)),
  });
  const answers = scans.map(({ found, end }) =>
    end === null || isFull(found)
      ? { found }
      : { tooBroad: { ...end, scanLimit: plan.scanLimit, down: each.sort.down } },
  );
  return new Map(answers.map((answer, index) => [ids[index] ?? '', answer]));
}

/** Returns the plan for the rows of a record. */
function planOfEach(each: BoundedRows<unknown>, scanLimit: number): ScanPlan {
  const [indexed] = each.filters;
  if (!indexed?.index?.ordered) return { ...planOf(each, indexed, false, scanLimit), isAllOrNothing: true };
  const plan = planOf(each, indexed, true, scanLimit);
  // The index of the list's order may have all columns. Postgres could then scan that index through the rows of others.
  const isOfIndex = plan.filters.every(({ isCovered }) => isCovered) && indexed.isCovered;
  if (isOfIndex || plan.filters.length === 0) return plan;
  return { ...plan, index: null, within: indexed, scanLimit };
}

/** Scans the rows of all records together. */
async function answerTogether<Value>(
  db: Db,
  list: BoundedRows<unknown>,
  ids: readonly string[],
  scanLimit: number,
  { scanTogether, nothing, isFull }: Reader<Value>,
): Promise<Answers<Value>> {
  const plan = await choosePlan(db, list, scanLimit);
  const answers = await scanTogether(list, plan);
  const values = ids.map((id) => [id, answers.get(id) ?? nothing] as const);
  const isWhole = !plan.ordered || values.every(([, found]) => isFull(found));
  const tooBroad = isWhole ? null : await readScanEnd(db, list, plan.scanLimit, plan.index);
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

/** Tells whether a scan ended farther than another one. False without moments. */
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
  scanEach: async (ids, plan) => {
    const statement = built((value) => {
      const found = { text: pageText(each, plan, limit, value), columns: 'found.id IS NOT NULL, found.*' };
      return scanText(ids, endText(each, plan, limit, value), found, value) + `, ${sortKeys(each, 'found')}`;
    });
    const rows = Map.groupBy(await db.query<ScanRow>(namedPages(statement)), ([number]) => Number(number));
    return ids.map((_, index) => {
      const own = rows.get(index + 1) ?? [];
      const found = own.filter(([, , , , isFound]) => isFound).map((row) => each.columns.read(row, 5));
      return { found, end: endOf(plan, each, own[0]) };
    });
  },
  scanTogether: async (list, plan) => {
    const statement = built((value) => togetherText(list, plan, { column, limit }, value));
    const rows = Map.groupBy(await db.query<readonly unknown[]>(statement), ([owner]) => String(owner));
    return new Map([...rows].map(([owner, own]) => [owner, own.map((row) => each.columns.read(row, 1))]));
  },
  nothing: [],
  isFull: (found) => found.length === limit,
  least: limit,
});

const countsOf = (db: Db, { each, column }: OwnedLists<unknown>, { limit }: Bounds): Reader<number> => ({
  scanEach: async (ids, plan) => {
    const statement = built((value) => {
      const found = { text: countText(each, plan, limit, value), columns: 'found.count' };
      return scanText(ids, endText(each, plan, limit, value), found, value);
    });
    const rows = await db.query<ScanRow>(namedCounts(statement));
    return rows.map((row) => ({ found: Number(row[4]), end: endOf(plan, each, row) }));
  },
  scanTogether: async (list, plan) => {
    const statement = built((value) => {
      const { from, where } = scan(list, plan, `t.${column}`, value);
      return `SELECT t.${column}, least(count(*), ${value(limit)}::int)::int FROM ${from} WHERE ${where} GROUP BY t.${column}`;
    });
    return new Map(await db.query<readonly [string, number]>(statement));
  },
  nothing: 0,
  isFull: (found) => found === limit,
  least: 1,
});

/** The number of a record from 1, the entries at the end of its scan, their moments, and the answer. */
type ScanRow = readonly [number: unknown, ends: number, low: Date, high: Date, ...answer: unknown[]];

/** Runs a statement for each record, and reads the end of its scan. */
const scanText = (
  ids: readonly string[],
  end: string,
  found: { readonly text: string; readonly columns: string },
  value: AddValue,
): string =>
  `SELECT owner.number, scans.ends, scans.low, scans.high, ${found.columns}
    FROM unnest(${value(ids)}::uuid[]) WITH ORDINALITY AS owner (id, number)
    CROSS JOIN LATERAL (${end}) scans LEFT JOIN LATERAL (${found.text}) found ON true ORDER BY owner.number`;

/** Reads the last permitted entry of the index and the next one. Without filters, the limit ends the scan before them. */
function endText(each: BoundedRows<unknown>, plan: ScanPlan, limit: number, value: AddValue): string {
  const { ordered, filters, scanLimit } = plan;
  if (ordered && filters.length === 0 && limit <= scanLimit)
    return 'SELECT 0 AS ends, NULL::timestamptz AS low, NULL::timestamptz AS high';
  const direction = ordered && each.sort.down ? 'DESC' : 'ASC';
  return `SELECT count(*)::int AS ends, min(e.created_at) AS low, max(e.created_at) AS high FROM (
      SELECT s.created_at FROM (${each.filters[0]?.index?.entries(value, null)}) s
      ORDER BY s.created_at ${direction}, s.id ${direction} OFFSET ${scanLimit - 1} LIMIT 2) e`;
}

/** Returns the end of a scan. Null if the scan met all rows. A scan in another order has no place in the order of the list. */
function endOf(plan: ScanPlan, { sort }: BoundedRows<unknown>, row: ScanRow | undefined): End | null {
  if (row === undefined || row[1] < 2) return null;
  const [, , low, high] = row;
  return { lastValue: plan.ordered ? (sort.down ? high : low) : null, isTied: sameValue(low, high) };
}

/** Reads the first rows of each record from a scan that the records share. */
function togetherText(
  list: BoundedRows<unknown>,
  plan: ScanPlan,
  { column, limit }: { readonly column: string; readonly limit: number },
  value: AddValue,
): string {
  const { from, where, sorted } = scan(list, plan, `t.${column}`, value);
  const keys = keysOf(list).map((key) => `${sorted}.${key}`);
  const placed = `SELECT t.${column} AS owner, ${keys.join(', ')},
      row_number() OVER (PARTITION BY t.${column} ${orderOf(list, sorted)}) AS place FROM ${from} WHERE ${where}`;
  const wanted = list.columns.select('t');
  return `SELECT s.owner, ${wanted} FROM (${placed}) s ${withRow(list, [wanted], value)}
    WHERE s.place <= ${value(limit)}::int ORDER BY s.place`;
}
