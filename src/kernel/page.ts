import { invalidInput, type InvalidInput } from './refusal.ts';
import { ok, refuse, type Result } from './result.ts';

/** The arguments of every list, as in the schema. */
export type PageArguments = {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
};

/** A page to read. It starts after the key `cursor`. With null it starts at the first element of the direction. */
export type PageRequest = {
  readonly direction: 'forward' | 'backward';
  readonly limit: number;
  readonly cursor: string | null;
};

/** A page that was read, in list order for both directions. */
export type Page<Item> = {
  readonly items: readonly Item[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
};

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 100;

/**
 * Checks the arguments of a list: 1 to 100 elements, 20 by default, one direction at a time.
 *
 * Refuses `first` with `last`, `after` with `before`, a cursor against the direction, and a cursor that `encodeCursor`
 * did not create.
 */
export function parsePage(given: PageArguments): Result<PageRequest, InvalidInput> {
  const backward = given.last != null || given.before != null;
  if (backward && (given.first != null || given.after != null)) {
    return refuse(invalidInput(['first'], 'Give first and after, or last and before, not both.'));
  }
  const limit = (backward ? given.last : given.first) ?? LIMIT_DEFAULT;
  if (limit < 1 || limit > LIMIT_MAX) {
    return refuse(invalidInput([backward ? 'last' : 'first'], `Must be 1 to ${LIMIT_MAX}.`));
  }
  const text = (backward ? given.before : given.after) ?? null;
  const cursor = text === null ? null : decodeCursor(text);
  if (text !== null && cursor === null) {
    return refuse(invalidInput([backward ? 'before' : 'after'], 'Must be a cursor of this list.'));
  }
  return ok({ direction: backward ? 'backward' : 'forward', limit, cursor });
}

/** Builds a page from rows that were read with `limit + 1`, in the order of the direction. */
export function toPage<Item>(request: PageRequest, rows: readonly Item[]): Page<Item> {
  const more = rows.length > request.limit;
  const items = rows.slice(0, request.limit);
  return request.direction === 'forward'
    ? { items, hasNextPage: more, hasPreviousPage: request.cursor !== null }
    : { items: items.toReversed(), hasNextPage: request.cursor !== null, hasPreviousPage: more };
}

/** An element's position in a list with several sorts: the sort, the element's value in it, the id. */
export type Position = { readonly sort: string; readonly value: string; readonly id: string };

/** Returns the cursor key of an element in a list with several sorts. No part may hold a space. */
export const positionKey = ({ sort, value, id }: Position): string => `${sort} ${value} ${id}`;

/**
 * Returns the position in the cursor of a page, or null without a cursor. Refuses a cursor of another sort, because its
 * position has no meaning in this sort. The list itself checks value and id, and refuses them with `notACursor`.
 */
export function parsePosition(page: PageRequest, sort: string): Result<Position | null, InvalidInput> {
  if (page.cursor === null) return ok(null);
  const [from, value, id, ...rest] = page.cursor.split(' ');
  if (!from || !value || !id || rest.length > 0) return refuse(notACursor(page));
  if (from === sort) return ok({ sort, value, id });
  return refuse(
    invalidInput(
      cursorPath(page),
      'The cursor comes from another sort. Give the same sort again, or start without a cursor.',
    ),
  );
}

/** Returns the refusal of a page's cursor. */
export const notACursor = (page: PageRequest): InvalidInput =>
  invalidInput(cursorPath(page), 'Must be a cursor of this list.');

const cursorPath = ({ direction }: PageRequest): readonly string[] => [
  direction === 'forward' ? 'after' : 'before',
];

const PREFIX = 'c1.';

/** Encodes the sort key of an element as an opaque cursor. */
export const encodeCursor = (key: string): string => PREFIX + Buffer.from(key, 'utf8').toString('base64url');

/** Returns the sort key in a cursor, or null when the text is no cursor. */
export function decodeCursor(cursor: string): string | null {
  if (!cursor.startsWith(PREFIX)) return null;
  const key = Buffer.from(cursor.slice(PREFIX.length), 'base64url').toString('utf8');
  return key !== '' && encodeCursor(key) === cursor ? key : null;
}
