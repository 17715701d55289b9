import type { App } from '../../../app.ts';
import { startFeedTail, type FeedTail } from '../../../platform/feed-tail.ts';
import { readLanes } from './feed.sql.ts';

/**
 * Creates the in-memory end of the feed for all subscriptions of a process. Reads nothing until the first subscription.
 */
export const createFeedTail = ({ db, clock, log }: Pick<App, 'db' | 'clock' | 'log'>): FeedTail =>
  startFeedTail({ clock, log }, readLanes(db));
