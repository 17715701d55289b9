import type { App } from '../../../app.ts';
import { startFeedTail, type FeedTail } from '../../../platform/feed/feed-tail.ts';
import { createFeedPages, type FeedPages } from '../../../platform/feed/feed-pages.ts';
import { readLanes, readRange } from './store/feed.sql.ts';

/**
 * Creates the in-memory end of the feed for all subscriptions of a process. Reads nothing until the first subscription.
 */
export const createFeedTail = ({ db, clock, log }: Pick<App, 'db' | 'clock' | 'log'>): FeedTail =>
  startFeedTail({ clock, log }, readLanes(db));

/**
 * Creates the pages of the past for all subscriptions of a process. They use at most half of the connections for reads,
 * so queries go on while many subscribers catch up.
 */
export const openFeedPages = ({ readDb, config }: Pick<App, 'readDb' | 'config'>): FeedPages =>
  createFeedPages(
    (merchantAccountId, { after, limit }) =>
      readRange(readDb, merchantAccountId, {
        after,
        until: after + BigInt(limit),
        patterns: [],
        limit,
        columns: 'whole',
      }),
    Math.max(1, Math.floor(config.DATABASE_READ_POOL / 2)),
  );
