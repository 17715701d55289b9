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

type KeyOf<Item> = (item: Item) => string;

/**
 * Shows a page as a connection. Edges and cursors are made when the operation asks for them.
 *
 * - `keyOf`: gives the sort key for a cursor. By default it is the element's id.
 */
export function toConnection<Item extends { readonly id: string }>(page: Page<Item>): Connection<Item>;
export function toConnection<Item>(page: Page<Item>, keyOf: KeyOf<Item>): Connection<Item>;
export function toConnection<Item>(
  page: Page<Item>,
  keyOf: KeyOf<Item> = (item) => (item as { readonly id: string }).id,
): Connection<Item> {
  return new ShownPage(page, keyOf);
}

class ShownPage<Item> implements Connection<Item> {
  readonly nodes: readonly Item[];
  readonly pageInfo: ShownPageInfo<Item>;
  readonly #keyOf: KeyOf<Item>;

  constructor(page: Page<Item>, keyOf: KeyOf<Item>) {
    this.nodes = page.items;
    this.pageInfo = new ShownPageInfo(page, keyOf);
    this.#keyOf = keyOf;
  }

  get edges(): Connection<Item>['edges'] {
    return this.nodes.map((node) => ({ cursor: encodeCursor(this.#keyOf(node)), node }));
  }
}

class ShownPageInfo<Item> {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly #items: readonly Item[];
  readonly #keyOf: KeyOf<Item>;

  constructor({ items, hasNextPage, hasPreviousPage }: Page<Item>, keyOf: KeyOf<Item>) {
    this.hasNextPage = hasNextPage;
    this.hasPreviousPage = hasPreviousPage;
    this.#items = items;
    this.#keyOf = keyOf;
  }

  get startCursor(): string | null {
    return this.#cursorOf(this.#items.at(0));
  }

  get endCursor(): string | null {
    return this.#cursorOf(this.#items.at(-1));
  }

  #cursorOf(item: Item | undefined): string | null {
    return item === undefined ? null : encodeCursor(this.#keyOf(item));
  }
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
