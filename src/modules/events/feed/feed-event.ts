import type { FeedRow } from '../../../platform/feed-tail.ts';
import { feedCursor } from './cursor.ts';

/** An event as consumers get it, the same in queries, subscriptions and webhooks. */
export type FeedEvent = FeedRow & {
  /** Stands behind this event. */
  readonly cursor: string;
};

/** The cursor is ahead of everything in the feed: it is of a feed that was since restored from an older copy. */
export type CursorAhead = { readonly kind: 'CursorAhead' };

/** The cursor is behind what was removed, as older than the retention: events that it would go on with are gone. */
export type CursorExpired = {
  readonly kind: 'CursorExpired';
  /** Goes on with the oldest event there is. */
  readonly earliestCursor: string;
};

export const cursorExpired = (merchantAccountId: string, floor: bigint): CursorExpired => ({
  kind: 'CursorExpired',
  earliestCursor: feedCursor({ merchantAccountId, sequence: floor }),
});

const events = new WeakMap<FeedRow, FeedEvent>();

/** The same object for the same row, so that those who get an event can share what is made of it. */
export function toFeedEvent(row: FeedRow): FeedEvent {
  const known = events.get(row);
  if (known) return known;
  const event = { ...row, cursor: feedCursor(row) };
  events.set(row, event);
  return event;
}

/** The transaction that an event is about, directly or through its capture or refund; null for any other event. */
export function transactionIdOf({ targetType, targetId, payload }: FeedEvent): string | null {
  if (targetType === 'transaction') return targetId;
  // The text was made by us: an envelope with a target.
  const { target } = JSON.parse(payload) as { readonly target: { readonly transaction_id?: unknown } };
  return typeof target.transaction_id === 'string' ? target.transaction_id : null;
}
