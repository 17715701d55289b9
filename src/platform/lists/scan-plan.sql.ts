import { built, createNames, type Part } from '../database/built-statement.ts';
import type { Db } from '../database/db.ts';
import type { Filter, IndexScan } from './list-filters.sql.ts';

// The choice of the rows that a bounded list scans.

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

/** The scanned range: that of a filter's index scan, or all rows of the account. Without the order, all rows are collected. */
export type ScanPlan = {
  readonly index: IndexScan | null;
  readonly ordered: boolean;
  readonly scanLimit: number;
  /** Without an index scan: a filter that each scanned row meets, because its index has the order of the list. */
  readonly within: Filter | null;
  /** The filters that the scanned rows must still meet. */
  readonly filters: readonly Filter[];
  /** True for a collection that answers nothing if the index scan has more rows than `scanLimit`. */
  readonly isAllOrNothing?: true;
};

/** An entry of an index is cheaper to scan than a row. */
const ENTRIES_PER_ROW = 5;

/** A row is dearer to scan if its neighbours in the range are stored elsewhere. */
const SCATTERED_PER_ROW = 0.4;

/** The rows or entries that a plan may scan in place of one row. */
function weightOf({ sort }: BoundedList, plan: Omit<ScanPlan, 'scanLimit'>): number {
  if (plan.ordered && needsNoRow(plan)) return ENTRIES_PER_ROW;
  return plan.ordered && plan.index === null && sort.isStored ? 1 : SCATTERED_PER_ROW;
}

/** The most rows of a filter that are collected, whatever the order of the list. */
export const collectable = (scanLimit: number): number => Math.floor(scanLimit * SCATTERED_PER_ROW);

/** The part of the scan limit that a page may spend before index entries are counted. */
const SHORT_SCAN_SHARE = 0.1;

/**
 * Returns a short scan in the order of the list, along the index of a filter if there is one. Often it fills a page, without
 * a count of index entries. Null if a filter is selective.
 */
export function shortPlanOf(list: BoundedList, scanLimit: number): ScanPlan | null {
  if (list.filters.some(({ index }) => index?.selective)) return null;
  const within = list.filters.find(({ index }) => index?.ordered && index.exact && index.ofRows) ?? null;
  const filters = list.filters.filter((each) => each !== within);
  return { index: null, ordered: true, scanLimit: Math.floor(scanLimit * SHORT_SCAN_SHARE), within, filters };
}

/** Returns the plan of the only index scan of a list, without a count. Null if a scan in the list's order may be cheaper. */
export function onlyIndexPlanOf(list: BoundedList, scanLimit: number): ScanPlan | null {
  const [indexed, ...others] = list.filters.filter(({ index }) => index !== null);
  if (!indexed?.index?.selective || others.length > 0) return null;
  return { ...planOf(list, indexed, false, scanLimit), isAllOrNothing: true };
}

/** Chooses the index scan with the fewest rows if they can be collected. Otherwise the list is scanned in its order. */
export async function choosePlan(db: Db, list: BoundedList, scanLimit: number): Promise<ScanPlan> {
  const indexed = list.filters.filter(({ index }) => index !== null);
  const counts = indexed.length === 0 ? [] : await countEntries(db, indexed, scanLimit);
  const fewest = Math.min(...counts);
  if (fewest <= collectable(scanLimit))
    return planOf(list, indexed[counts.indexOf(fewest)], false, scanLimit);
  const ordered = indexed.find(({ index }) => index?.ordered);
  return planOf(list, isInOrder(list.filters) ? undefined : ordered, true, scanLimit);
}

/** True for several filters that the index of the list's order answers. An index scan would read rows for all but its own filter. */
const isInOrder = (filters: readonly Filter[]): boolean =>
  filters.length > 1 && filters.every(({ isCovered }) => isCovered);

/** Returns the plan along a filter's index scan, or along the order of the list. Its limit depends on how dear a row is. */
export function planOf(
  list: BoundedList,
  indexed: Filter | undefined,
  ordered: boolean,
  scanLimit: number,
): ScanPlan {
  const { filters } = list;
  const index = indexed?.index ?? null;
  const others = index?.exact ? filters.filter((each) => each !== indexed) : filters;
  const plan = { index, ordered, within: null, filters: others };
  return { ...plan, scanLimit: Math.floor(scanLimit * weightOf(list, plan)) };
}

/** True if the index alone tells which of the scanned rows meet the filters. */
export const needsNoRow = ({ index, within, filters }: Omit<ScanPlan, 'scanLimit'>): boolean =>
  index === null ? within === null && filters.every(({ isCovered }) => isCovered) : filters.length === 0;

const named = createNames('count_index_entries');

/** Counts the entries of each index scan. A count ends above the rows that can be collected. */
async function countEntries(
  db: Db,
  indexed: readonly Filter[],
  scanLimit: number,
): Promise<readonly number[]> {
  const statement = built((value) => {
    // Postgres plans for this number, also in a plan for all values.
    const end = String(collectable(scanLimit) + 1);
    const counts = indexed.map(
      ({ index }) =>
        `(SELECT count(*)::int FROM (SELECT FROM (${index?.entries(value, end)}) e LIMIT ${end}) entries)`,
    );
    return `SELECT ${counts.join(', ')}`;
  });
  const [counts = []] = await db.query<readonly number[]>(named(statement));
  return counts;
}
