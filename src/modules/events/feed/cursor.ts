import { decodeCursor, encodeCursor } from '../../../kernel/page.ts';

/** A place in a merchant account's feed: behind the event of this sequence, or at the beginning with 0. */
type Place = { readonly merchantAccountId: string; readonly sequence: bigint };

/** What the cursors of the feed hold. */
export const feedKey = ({ merchantAccountId, sequence }: Place): string =>
  `feed.${merchantAccountId}.${sequence}`;

/** Opaque, and of no use to another merchant account. */
export const feedCursor = (place: Place): string => encodeCursor(feedKey(place));

/** The sequence that a cursor stands behind; null when it is no cursor of this merchant account's feed. */
export function sequenceOf(merchantAccountId: string, cursor: string): bigint | null {
  const digits = /^feed\..+\.(0|[1-9]\d{0,15})$/s.exec(decodeCursor(cursor) ?? '')?.[1];
  if (digits === undefined) return null;
  const sequence = BigInt(digits);
  return feedCursor({ merchantAccountId, sequence }) === cursor ? sequence : null;
}
