import {
  encodeCursor,
  parsePage,
  type Page,
  type PageArguments,
  type PageRequest,
} from '../../kernel/page.ts';
import { invalidArguments } from '../errors.ts';

/** A page as the schema shows it. */
export type Connection<Item> = {
  readonly edges: readonly { readonly cursor: string; readonly node: Item }[];
  readonly nodes: readonly Item[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
};

/**
 * Shows a page as a connection. Edges and cursors are made when the operation asks for them.
 *
 * - `keyOf`: gives the sort key for a cursor. By default it is the element's id.
 */
export function toConnection<Item extends { readonly id: string }>(page: Page<Item>): Connection<Item>;
export function toConnection<Item>(page: Page<Item>, keyOf: (item: Item) => string): Connection<Item>;
export function toConnection<Item>(
  { items, hasNextPage, hasPreviousPage }: Page<Item>,
  keyOf: (item: Item) => string = (item) => (item as { readonly id: string }).id,
): Connection<Item> {
  const cursorOf = (item: Item | undefined): string | null =>
    item === undefined ? null : encodeCursor(keyOf(item));
  return {
    get edges() {
      return items.map((node) => ({ cursor: encodeCursor(keyOf(node)), node }));
    },
    nodes: items,
    pageInfo: {
      hasNextPage,
      hasPreviousPage,
      get startCursor() {
        return cursorOf(items.at(0));
      },
      get endCursor() {
        return cursorOf(items.at(-1));
      },
    },
  };
}

/** Checks a list's arguments. Throws the refusals of `parsePage` as INVALID_INPUT, because a query has no userErrors. */
export function parsePageOrThrow(args: PageArguments): PageRequest {
  const parsed = parsePage(args);
  if (!parsed.ok) throw invalidArguments(parsed.refusals);
  return parsed.value;
}
