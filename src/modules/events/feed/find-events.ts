import type { App, Viewer } from '../../../app.ts';
import { inOrderOf, isUuid } from '../../../platform/ids.ts';
import type { LineOrWhole } from '../../../platform/database/column-set.ts';
import { readEventsById } from './store/events-by-id.sql.ts';
import type { FeedEvent } from './feed-event.ts';

/**
 * Returns events of the feed with the fields of `columns`, in the order of the ids. Null for an unknown event, for a removed event and for an event that has not
 * reached the feed.
 */
export async function findFeedEvents(
  app: App,
  { merchantAccountId }: Viewer,
  ids: readonly string[],
  columns: LineOrWhole = 'whole',
): Promise<readonly (FeedEvent | null)[]> {
  return inOrderOf(ids, await readEventsById(app.db, merchantAccountId, ids.filter(isUuid), columns));
}
