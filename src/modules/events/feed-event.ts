import type { FeedRow } from '../../platform/feed-tail.ts';
import { feedCursor } from './cursor.ts';

/** An event as consumers get it, the same in queries, subscriptions and webhooks. */
export type FeedEvent = FeedRow & {
  /** Stands behind this event. */
  readonly cursor: string;
};

/** The cursor is ahead of everything in the feed: it is of a feed that was since restored from an older copy. */
export type CursorAhead = { readonly kind: 'CursorAhead' };

export const toFeedEvent = (row: FeedRow): FeedEvent => ({ ...row, cursor: feedCursor(row) });

/** The transaction that an event is about, directly or through its capture or refund; null for any other event. */
export function transactionIdOf({ targetType, targetId, payload }: FeedEvent): string | null {
  if (targetType === 'transaction') return targetId;
  // The text was made by us: an envelope with a target.
  const { target } = JSON.parse(payload) as { readonly target: { readonly transaction_id?: unknown } };
  return typeof target.transaction_id === 'string' ? target.transaction_id : null;
}
