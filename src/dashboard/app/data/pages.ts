import { useRef } from 'react';
import { useRead, type Read } from './read.ts';
import { useRefresh, type Concerns } from './refresh.ts';

/** The rows so far. */
export type Rows<Row> = {
  readonly rows: readonly Row[];
  readonly cursor: string | null;
  readonly hasMore: boolean;
};

/** A list that grows by `more`. */
export type Pages<Row> = Read<Rows<Row>> & { readonly more: () => void };

/** The answer of a connection of the API. */
type Connection<Row> = {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
};

/** The selection of a page of rows, with its place in the list. */
export const pageOf = <const Selection>(nodes: Selection) =>
  ({ nodes, pageInfo: { endCursor: true, hasNextPage: true } }) as const;

/** The place after which a page begins, and the end of the wish for the page. */
export type Ask = { readonly after: string | null; readonly signal: AbortSignal };

/** A row of a list, by the function that reads its pages. */
export type RowOf<Reader extends (...args: never) => Promise<Rows<unknown>>> = Awaited<
  ReturnType<Reader>
>['rows'][number];

/** Returns the rows of a connection. */
export const rowsOf = <Row>({ nodes, pageInfo }: Connection<Row>): Rows<Row> => ({
  rows: nodes,
  cursor: pageInfo.endCursor,
  hasMore: pageInfo.hasNextPage,
});

/** A list without rows. */
export const NO_ROWS = { rows: [], cursor: null, hasMore: false } as const;

/** Reads all pages of a short list. */
export async function readAll<Row>(
  signal: AbortSignal,
  read: (ask: Ask) => Promise<Rows<Row>>,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  for (let after: string | null = null; ;) {
    const { rows, cursor, hasMore } = await read({ after, signal });
    all.push(...rows);
    if (!hasMore) return all;
    after = cursor;
  }
}

/** Reads a list page by page. `reload` reads as many rows again as there are. `forget` is that of `useRead`. */
export function usePages<Row>(
  key: string,
  read: (ask: Ask) => Promise<Rows<Row>>,
  settings: { readonly forget?: boolean } = {},
): Pages<Row> {
  const known = useRef<{ readonly key: string; readonly rows: Rows<Row> } | null>(null);
  const isGrowing = useRef(false);
  const readOn = async (signal: AbortSignal): Promise<Rows<Row>> => {
    const mine = known.current?.key === key ? known.current.rows : null;
    // A press during this read is for the next one.
    const grows = isGrowing.current;
    isGrowing.current = false;
    const grown = mine && grows ? await grow(mine, signal) : await again(mine, signal);
    if (!signal.aborted) known.current = { key, rows: grown };
    return grown;
  };
  const state = useRead(key, readOn, settings);
  const grow = async (before: Rows<Row>, signal: AbortSignal): Promise<Rows<Row>> => {
    const next = await read({ after: before.cursor, signal });
    return { ...next, rows: [...before.rows, ...next.rows] };
  };
  const again = async (mine: Rows<Row> | null, signal: AbortSignal): Promise<Rows<Row>> => {
    let rows = await read({ after: null, signal });
    while (rows.hasMore && rows.rows.length < (mine?.rows.length ?? 0)) rows = await grow(rows, signal);
    return rows;
  };
  return {
    ...state,
    more: () => {
      isGrowing.current = true;
      state.reload();
    },
  };
}

/** Reads a list page by page, and again after the events that concern it. */
export function useList<Row>(
  key: string,
  read: (ask: Ask) => Promise<Rows<Row>>,
  concerns: Concerns,
): Pages<Row> {
  const list = usePages(key, read);
  useRefresh(list.reload, concerns);
  return list;
}
