import type { App, Viewer } from '../../../app.ts';
import { inOrderOf, isUuid } from '../../../platform/ids.ts';
import { readEventsById } from './events-by-id.sql.ts';
import { toFeedEvent, type FeedEvent } from './feed-event.ts';

/**
 * Returns events of the feed in the order of the ids. Null for an unknown event, for a removed event and for an event that has not
 * reached the feed.
 */
export async function findFeedEvents(
  app: App,
  { merchantAccountId }: Viewer,
  ids: readonly string[],
): Promise<readonly (FeedEvent | null)[]> {
  const found = await readEventsById(app.db, merchantAccountId, ids.filter(isUuid));
  return inOrderOf(
    ids,
    found.map((row) => toFeedEvent(row)),
  );
}
