import type { FeedRow } from '../../../platform/feed/feed-tail.ts';
import { publishedText } from '../../event-log/index.ts';
import { feedCursor } from './cursor.ts';

/** An event in the form for consumers, equal in queries, subscriptions and webhooks. */
export type FeedEvent = FeedRow;

/** An event as the database answers it. */
export type StoredEvent = Omit<FeedRow, 'sequence' | 'cursor'> & {
  /** The driver returns a 64-bit integer as text. */
  readonly sequence: string;
};

/** A cursor ahead of the whole feed, without the event that it follows. */
export type CursorAhead = { readonly kind: 'CursorAhead' };

/** A cursor after an event that the feed does not have. The database was restored to a moment before that event. */
export type FeedRestored = {
  readonly kind: 'FeedRestored';
  /** A place that misses no event. Events before the restored moment may come again. */
  readonly continueCursor: string;
};

/** A cursor before the retained events. The events after the cursor are removed. */
export type CursorExpired = {
  readonly kind: 'CursorExpired';
  /** The place before the oldest retained event. */
  readonly earliestCursor: string;
};

export const cursorExpired = (merchantAccountId: string, floor: bigint): CursorExpired => ({
  kind: 'CursorExpired',
  earliestCursor: feedCursor({ merchantAccountId, sequence: floor, id: null }),
});

/**
 * Returns the event of a row. Its payload and its cursor are made when they are first read, once for all consumers. A row
 * without the payload throws at that moment.
 */
export const toFeedEvent = (row: StoredEvent): FeedEvent => new EventOfRow(row);

class EventOfRow implements FeedEvent {
  readonly merchantAccountId: string;
  readonly sequence: bigint;
  readonly id: string;
  readonly name: string;
  readonly targetType: string;
  readonly targetId: string;
  readonly createdAt: Date;
  readonly #row: StoredEvent;
  #payload: string | undefined;
  #cursor: string | undefined;

  constructor(row: StoredEvent) {
    this.merchantAccountId = row.merchantAccountId;
    this.sequence = BigInt(row.sequence);
    this.id = row.id;
    this.name = row.name;
    this.targetType = row.targetType;
    this.targetId = row.targetId;
    this.createdAt = row.createdAt;
    this.#row = row;
  }

  get payload(): string {
    return (this.#payload ??= publishedText(this.#row.payload, this.sequence));
  }

  get cursor(): string {
    return (this.#cursor ??= feedCursor(this));
  }
}

/** Returns the transaction of an event, directly or through its capture, refund or dispute. Null for any other event. */
export function transactionIdOf({ targetType, targetId, payload }: FeedEvent): string | null {
  if (targetType === 'transaction') return targetId;
  // The service wrote the text: an envelope with a target.
  const { target } = JSON.parse(payload) as { readonly target: { readonly transaction_id?: unknown } };
  return typeof target.transaction_id === 'string' ? target.transaction_id : null;
}
