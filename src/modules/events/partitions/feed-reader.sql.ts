/** The reader that puts events into the feed. A process of the former version may have moved an event before. */
export const FEED = {
  cursor: 'feed',
  table: 'event',
  columns: 'e.position, e.merchant_account_id, e.name, e.target_id, e.created_at',
} as const;
