import type { Db } from '../../../platform/db.ts';
import type { FeedRow } from '../../../platform/feed-tail.ts';
import { prepare } from '../../../platform/statement.ts';
import { COLUMNS, toFeedRow, type Row } from './feed.sql.ts';

// Each partition has a unique index of the merchant account and the id. OFFSET 0 keeps the planner from the feed's order.
const eventsById = prepare(
  'feed_events_by_id',
  `SELECT ${COLUMNS} FROM (
     SELECT * FROM event WHERE merchant_account_id = @account AND id = ANY(@ids::uuid[]) OFFSET 0) e
   CROSS JOIN LATERAL (SELECT merchant_account_id, sequence FROM feed_entry WHERE position = e.position OFFSET 0) f
   JOIN feed_head h ON h.merchant_account_id = @account AND f.sequence > h.floor`,
);

/** Reads the retained events of a merchant account's feed with the given ids, unsorted. */
export const readEventsById = async (
  db: Db,
  account: string,
  ids: readonly string[],
): Promise<readonly FeedRow[]> => (await db.query<Row>(eventsById({ account, ids }))).map(toFeedRow);
