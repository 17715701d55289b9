import {
  encodeCursor,
  parsePage,
  type Page,
  type PageArguments,
  type PageRequest,
} from '../../kernel/page.ts';
import { parseCountLimit, toCount, type Count } from '../../kernel/count.ts';
import type { InvalidInput } from '../../kernel/refusal.ts';
import type { Result } from '../../kernel/result.ts';
import type { FeedEvent } from '../../modules/events/index.ts';
import type { PaymentLink } from '../../modules/payment-links/index.ts';
import type { Buyer, PaymentMethod } from '../../modules/payment-methods/index.ts';
import type { ShownTransaction } from '../../modules/transactions/index.ts';
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

/** A connection whose list can be counted. */
export type Countable<Item> = Connection<Item> & {
  /** Counts the records of all pages. The count ends at `atMost`. */
  readonly countUpTo: (atMost: number) => Promise<Result<number, InvalidInput>>;
};

export type TransactionList = Countable<ShownTransaction>;
export type BuyerList = Countable<Buyer>;
export type PaymentMethodList = Countable<PaymentMethod>;
export type PaymentLinkList = Countable<PaymentLink>;
export type EventList = Countable<FeedEvent> & { readonly head: string };

/** Adds the count of all pages to a connection. The count is made when the operation asks for it. */
export const countable = <Shown extends Connection<unknown>>(
  connection: Shown,
  countUpTo: Countable<unknown>['countUpTo'],
): Shown & Pick<Countable<unknown>, 'countUpTo'> => Object.assign(connection, { countUpTo });

/** The resolver of `totalCount` in every connection that can be counted. Throws the refusals as INVALID_INPUT. */
export async function totalCount(
  { countUpTo }: Countable<unknown>,
  { limit }: { readonly limit: number },
): Promise<Count> {
  const parsed = parseCountLimit(limit);
  if (!parsed.ok) throw invalidArguments(parsed.refusals);
  const found = await countUpTo(limit + 1);
  if (!found.ok) throw invalidArguments(found.refusals);
  return toCount(found.value, limit);
}

/** Checks a list's arguments. Throws the refusals of `parsePage` as INVALID_INPUT, because a query has no userErrors. */
export function parsePageOrThrow(args: PageArguments): PageRequest {
  const parsed = parsePage(args);
  if (!parsed.ok) throw invalidArguments(parsed.refusals);
  return parsed.value;
}
