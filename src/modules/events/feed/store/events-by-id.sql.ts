import type { LineOrWhole } from '../../../../platform/database/column-set.ts';
import type { Db } from '../../../../platform/database/db.ts';
import { isAmong, prepare } from '../../../../platform/database/statement.ts';
import { entryOf } from './event-at.sql.ts';
import { forEachSet, readEvents } from './event-columns.sql.ts';
import type { FeedEvent } from '../feed-event.ts';

// Each partition has a unique index of the merchant account and the id. OFFSET 0 keeps the planner from the feed's order.
const eventsById = forEachSet((columns, set) =>
  prepare(
    `feed_events_by_id_${set}`,
    `SELECT ${columns} FROM (
       SELECT * FROM event WHERE merchant_account_id = @account AND ${isAmong('id', '@ids::uuid[]')} OFFSET 0) e
     ${entryOf('@account')}
     JOIN feed_head h ON h.merchant_account_id = @account AND f.sequence > h.floor`,
  ),
);

/** Reads the retained events of a merchant account's feed with the given ids, unsorted. */
export const readEventsById = (
  db: Db,
  account: string,
  ids: readonly string[],
  columns: LineOrWhole,
): Promise<readonly FeedEvent[]> => readEvents(db, eventsById[columns]({ account, ids }), columns);
