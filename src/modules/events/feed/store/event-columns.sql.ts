import { lineAndWhole, readRows, type LineOrWhole } from '../../../../platform/database/column-set.ts';
import type { Db } from '../../../../platform/database/db.ts';
import type { Statement } from '../../../../platform/database/statement.ts';
import { toFeedEvent, type FeedEvent, type StoredEvent } from '../feed-event.ts';

/** The column sets of an event `e` with its entry `f` of the feed. A line has no payload. */
export const EVENT_COLUMNS = lineAndWhole<StoredEvent>(
  {
    merchantAccountId: 'line',
    sequence: 'line',
    id: 'line',
    name: 'line',
    targetType: 'line',
    targetId: 'line',
    createdAt: 'line',
    payload: 'whole',
  },
  { merchantAccountId: () => 'f.merchant_account_id', sequence: () => 'f.sequence' },
);

/** Returns a statement for each column set. `make` gets the columns and the end of the statement's name. */
export const forEachSet = <Made>(
  make: (columns: string, set: LineOrWhole) => Made,
): Readonly<Record<LineOrWhole, Made>> => ({
  line: make(EVENT_COLUMNS.line.select('e'), 'line'),
  whole: make(EVENT_COLUMNS.whole.select('e'), 'whole'),
});

/** Runs a statement that selects the columns of a set, and returns the events. */
export async function readEvents(
  db: Db,
  statement: Statement,
  columns: LineOrWhole,
): Promise<readonly FeedEvent[]> {
  return (await readRows(db, statement, EVENT_COLUMNS[columns])).map(toFeedEvent);
}
