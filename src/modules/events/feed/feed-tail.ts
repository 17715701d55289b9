import type { App } from '../../../app.ts';
import { startFeedTail, type FeedTail } from '../../../platform/feed-tail.ts';
import { readLanes } from './feed.sql.ts';

/** The end of the feed in memory, for all subscriptions of one process. Asks nothing until somebody subscribes. */
export const createFeedTail = ({ db, clock, log }: Pick<App, 'db' | 'clock' | 'log'>): FeedTail =>
  startFeedTail({ clock, log }, readLanes(db));
