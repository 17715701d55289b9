import type { App } from '../../../app.ts';
import type { Page, PageRequest } from '../../../kernel/page.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import type { ExportFailure, GivenFilter } from '../export.ts';

/**
 * The kind of a column.
 *
 * - `text`: free text. A spreadsheet could run the text as a formula, so CSV defuses it.
 * - `value`: an id, a word, a number or a moment. Never changed.
 * - `json`: JSON text in one line.
 */
export type ColumnKind = 'text' | 'value' | 'json';

/** A value of a row. Amounts are minor units. */
export type Cell = string | number | boolean | Date | null;

export type Column<Item> = {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly of: (item: Item) => Cell;
};

/** The part of the records that a page is read from. */
export type Reading = {
  readonly merchantAccountId: string;
  readonly filter: GivenFilter;
  /** Only records up to this moment. */
  readonly until: Date;
  /** The position of the last row before the page. Null at the beginning. */
  readonly after: string | null;
};

/** A row, and the position after the row. */
export type ExportRow = { readonly position: string; readonly cells: readonly Cell[] };

/** A page of rows, oldest first. */
export type RowPage = {
  readonly rows: readonly ExportRow[];
  /** The position after the page, which may be behind its last row. Null for an empty page. */
  readonly position: string | null;
  readonly hasMore: boolean;
};

/** The records of a type of export. */
export type Source = {
  /** The scope that reads the records. */
  readonly scope: string;
  readonly columns: readonly Pick<Column<never>, 'name' | 'kind'>[];
  readonly read: (app: App, reading: Reading) => Promise<Result<RowPage, ExportFailure>>;
};

/** The most records of a page. A page and its text are all that the worker keeps in memory. */
export const PAGE_MAX = 500;

/** A page of records, oldest first. */
export type ItemPage<Item> = { readonly items: readonly Item[]; readonly hasMore: boolean };

type Records<Item> = {
  readonly scope: string;
  readonly columns: readonly Column<Item>[];
  /** Reads a page. Its records may be later than the end. */
  readonly readPage: (app: App, reading: Reading) => Promise<Result<ItemPage<Item>, ExportFailure>>;
  readonly positionOf: (item: Item) => string;
  /** Tells whether a record meets conditions that the page does not check. */
  readonly meets?: (item: Item, filter: GivenFilter) => boolean;
};

/**
 * Makes the source of a type. Leaves out records after the end. Ids of several processes are only nearly in the order of
 * creation. The reading therefore ends with a page of nothing but such records.
 */
export const sourceOf = <Item extends { readonly createdAt: Date }>({
  scope,
  columns,
  readPage,
  positionOf,
  meets = () => true,
}: Records<Item>): Source => ({
  scope,
  columns,
  read: async (app, reading) => {
    const page = await readPage(app, reading);
    if (!page.ok) return page;
    const { items, hasMore } = page.value;
    const inTime = items.filter(({ createdAt }) => createdAt <= reading.until);
    const last = items.at(-1);
    return ok({
      rows: inTime
        .filter((item) => meets(item, reading.filter))
        .map((item) => ({ position: positionOf(item), cells: columns.map(({ of }) => of(item)) })),
      position: last === undefined ? null : positionOf(last),
      hasMore: hasMore && inTime.length > 0,
    });
  },
});

/** Returns a column for a field of the same name. */
export const field = <Item>(
  name: string,
  of: (item: Item) => Cell,
  kind: ColumnKind = 'value',
): Column<Item> => ({ name, kind, of });

/** Returns the page of a list whose filter was checked at the creation of the export. */
export function pageOf<Found>(listed: Result<Found, unknown>): Found {
  if (listed.ok) return listed.value;
  throw new Error('A stored filter or position of an export is refused');
}

/** Requests the next page of a list that shows the newest first, from its end. */
export const fromOldest = ({ after }: Reading): PageRequest => ({
  ...{ direction: 'backward', limit: PAGE_MAX, cursor: after },
});

/** Turns a page from the end of a list around. */
export const oldestFirst = <Item>({ items, hasPreviousPage }: Page<Item>): ItemPage<Item> => ({
  ...{ items: items.toReversed(), hasMore: hasPreviousPage },
});
