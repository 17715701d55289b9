import { decodeCursor, encodeCursor } from '../../../kernel/page.ts';

/** A place in a merchant account's feed: after the event of this sequence, or at the beginning with 0. */
type Place = { readonly merchantAccountId: string; readonly sequence: bigint };

/** Returns the cursor key of a place in the feed. */
export const feedKey = ({ merchantAccountId, sequence }: Place): string =>
  `feed.${merchantAccountId}.${sequence}`;

/** Returns an opaque cursor that no other merchant account can use. */
export const feedCursor = (place: Place): string => encodeCursor(feedKey(place));

/** Returns the sequence of a cursor. Null for a text that is no cursor of this merchant account's feed. */
export function sequenceOf(merchantAccountId: string, cursor: string): bigint | null {
  const digits = /^feed\..+\.(0|[1-9]\d{0,15})$/s.exec(decodeCursor(cursor) ?? '')?.[1];
  if (digits === undefined) return null;
  const sequence = BigInt(digits);
  return feedCursor({ merchantAccountId, sequence }) === cursor ? sequence : null;
}
