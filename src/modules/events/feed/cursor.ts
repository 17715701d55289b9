import { decodeCursor, encodeCursor } from '../../../kernel/page.ts';

/** A place in a merchant account's feed: after the event of this sequence, or at the beginning with 0. */
export type Place = {
  readonly merchantAccountId: string;
  readonly sequence: bigint;
  /** The event of the sequence. It proves that the feed still has the same events. Null at a removed event. */
  readonly id: string | null;
};

/** Returns the cursor key of a place in the feed. */
export const feedKey = ({ merchantAccountId, sequence, id }: Place): string =>
  `feed.${merchantAccountId}.${sequence}${id === null ? '' : `.${id.replaceAll('-', '')}`}`;

/** Returns an opaque cursor that no other merchant account can use. */
export const feedCursor = (place: Place): string => encodeCursor(feedKey(place));

/**
 * Returns the cursor so many events before a cursor. Null at the beginning of the feed, and for a text that is no cursor.
 * The feed refuses the result if it has removed events after that place.
 */
export function cursorBefore(cursor: string, events: number): string | null {
  const [, merchantAccountId, head] =
    /^feed\.(.+)\.(\d{1,16})(?:\.[0-9a-f]{32})?$/s.exec(decodeCursor(cursor) ?? '') ?? [];
  if (merchantAccountId === undefined || head === undefined) return null;
  const sequence = BigInt(head) - BigInt(events);
  return sequence <= 0n ? null : feedCursor({ merchantAccountId, sequence, id: null });
}

/** Returns the place of a cursor. Null for a text that is no cursor of this merchant account's feed. */
export function placeOf(merchantAccountId: string, cursor: string): Place | null {
  const parts = /^feed\..+\.(0|[1-9]\d{0,15})(?:\.([0-9a-f]{32}))?$/s.exec(decodeCursor(cursor) ?? '');
  if (!parts) return null;
  const [, sequence = '0', id = null] = parts;
  const place = { merchantAccountId, sequence: BigInt(sequence), id: id && withHyphens(id) };
  return feedCursor(place) === cursor ? place : null;
}

const withHyphens = (digits: string): string =>
  digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/**
 * Returns the moment in an event's id, a UUID of version 7: its first 48 bits are milliseconds since 1970. Null for
 * another version.
 */
export const momentOf = (id: string): Date | null =>
  id[14] === '7' ? new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)) : null;
