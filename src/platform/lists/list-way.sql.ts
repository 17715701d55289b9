import { built, createNames, type Part } from '../database/built-statement.ts';
import type { Db } from '../database/db.ts';
import type { Filter, Lead } from './list-filters.sql.ts';

// The choice of the rows that a bounded list visits.

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

/** The visited range: that of a filter's lead, or all rows of the account. Without the order, all rows are collected. */
export type Way = {
  readonly lead: Lead | null;
  readonly ordered: boolean;
  readonly visits: number;
  /** Without a lead: a filter that each visited row meets, because its index has the order of the list. */
  readonly within: Filter | null;
  /** The filters that the visited rows must still meet. */
  readonly filters: readonly Filter[];
  /** True for a collection that answers nothing if the lead has more rows than the visits. */
  readonly isAllOrNothing?: true;
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
export function frontOf(list: BoundedList, visits: number): Way | null {
  if (list.filters.some(({ lead }) => lead?.rare)) return null;
  const within = list.filters.find(({ lead }) => lead?.ordered && lead.exact && lead.ofRows) ?? null;
  const filters = list.filters.filter((each) => each !== within);
  return { lead: null, ordered: true, visits: Math.floor(visits * FRONT_SHARE), within, filters };
}

/** Returns the only lead of a list, to be collected without a count. Null if a walk in the list's order may be cheaper. */
export function onlyLeadOf(list: BoundedList, visits: number): Way | null {
  const [leading, ...others] = list.filters.filter(({ lead }) => lead !== null);
  if (!leading?.lead?.rare || others.length > 0) return null;
  return { ...wayOf(list, leading, false, visits), isAllOrNothing: true };
}

/** Chooses the lead with the fewest rows if they can be collected. Otherwise the list is walked in its order. */
export async function chooseWay(db: Db, list: BoundedList, visits: number): Promise<Way> {
  const leading = list.filters.filter(({ lead }) => lead !== null);
  const counts = leading.length === 0 ? [] : await countLeads(db, leading, visits);
  const fewest = Math.min(...counts);
  if (fewest <= collectable(visits)) return wayOf(list, leading[counts.indexOf(fewest)], false, visits);
  const ordered = leading.find(({ lead }) => lead?.ordered);
  return wayOf(list, isInOrder(list.filters) ? undefined : ordered, true, visits);
}

/** True for several filters that the index of the list's order answers. A lead would visit rows for all but its own filter. */
const isInOrder = (filters: readonly Filter[]): boolean =>
  filters.length > 1 && filters.every(({ isCovered }) => isCovered);

/** Returns the way along a filter's lead, or along the order of the list. The visits depend on how dear a row is. */
export function wayOf(list: BoundedList, leading: Filter | undefined, ordered: boolean, visits: number): Way {
  const { filters } = list;
  const lead = leading?.lead ?? null;
  const others = lead?.exact ? filters.filter((each) => each !== leading) : filters;
  const way = { lead, ordered, within: null, filters: others };
  return { ...way, visits: Math.floor(visits * weightOf(list, way)) };
}

/** True if the index alone tells which of the visited rows meet the filters. */
export const needsNoRow = ({ lead, within, filters }: Omit<Way, 'visits'>): boolean =>
  lead === null ? within === null && filters.every(({ isCovered }) => isCovered) : filters.length === 0;

const named = createNames('count_leads');

/** Counts the rows of each lead. A count ends above the rows that can be collected. */
async function countLeads(db: Db, leading: readonly Filter[], visits: number): Promise<readonly number[]> {
  const statement = built((value) => {
    // Postgres plans for this number, also in a plan for all values.
    const end = String(collectable(visits) + 1);
    const counts = leading.map(
      ({ lead }) =>
        `(SELECT count(*)::int FROM (SELECT FROM (${lead?.entries(value, end)}) e LIMIT ${end}) entries)`,
    );
    return `SELECT ${counts.join(', ')}`;
  });
  const [counts = []] = await db.query<readonly number[]>(named(statement));
  return counts;
}
