import { useRef } from 'react';
import { useRead, type Read } from './read.ts';

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

/** The selection of a page's place. */
export const PAGE_INFO = { endCursor: true, hasNextPage: true } as const;

/** Returns the rows of a connection. */
export const rowsOf = <Row>({ nodes, pageInfo }: Connection<Row>): Rows<Row> => ({
  rows: nodes,
  cursor: pageInfo.endCursor,
  hasMore: pageInfo.hasNextPage,
});

/** Reads all pages of a short list. */
export async function readAll<Row>(
  read: (after: string | null) => Promise<Rows<Row>>,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  for (let after: string | null = null; ;) {
    const { rows, cursor, hasMore } = await read(after);
    all.push(...rows);
    if (!hasMore) return all;
    after = cursor;
  }
}

/** Reads a list page by page. `reload` reads as many rows again as there are. `forget` is that of `useRead`. */
export function usePages<Row>(
  key: string,
  read: (after: string | null, signal: AbortSignal) => Promise<Rows<Row>>,
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
    const next = await read(before.cursor, signal);
    return { ...next, rows: [...before.rows, ...next.rows] };
  };
  const again = async (mine: Rows<Row> | null, signal: AbortSignal): Promise<Rows<Row>> => {
    let rows = await read(null, signal);
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
