import { readRowsOfEach, type LineOrWhole } from '../../../../platform/database/column-set.ts';
import type { Db } from '../../../../platform/database/db.ts';
import { prepare } from '../../../../platform/database/statement.ts';
import { entryOf } from './event-at.sql.ts';
import { EVENT_COLUMNS, forEachSet } from './event-columns.sql.ts';
import { toFeedEvent, type FeedEvent } from '../feed-event.ts';
import type { EventTarget } from './feed.sql.ts';

/** Some records, and the part of their events to read: those behind a sequence in an order, at most `limit`. */
export type RecordsEvents = {
  readonly targets: readonly EventTarget[];
  /** Null for the start of the order. */
  readonly after: bigint | null;
  readonly order: 'oldest' | 'newest';
  readonly limit: number;
};

// The events are looked up by their record, and their feed entries one by one. OFFSET 0 prevents a scan of the whole
// feed in its order.
const eventsOfRecords = forEachSet((columns, set) =>
  prepare(
    `feed_events_of_records_${set}`,
    `SELECT * FROM (
       SELECT wanted.ordinal, ${columns}, wanted."limit",
         row_number() OVER (PARTITION BY wanted.ordinal ORDER BY f.sequence * wanted.step) AS nth
       FROM unnest(@ordinals::int[], @types::text[], @ids::text[], @afters::bigint[], @steps::int[], @limits::int[])
         AS wanted (ordinal, type, id, after, step, "limit")
       CROSS JOIN LATERAL (
         SELECT * FROM event WHERE merchant_account_id = @account AND target_type = wanted.type AND target_id = wanted.id
         ORDER BY position OFFSET 0) e
       ${entryOf('@account')}
       WHERE wanted.after IS NULL OR (f.sequence - wanted.after) * wanted.step > 0) found
     WHERE nth <= "limit" ORDER BY ordinal, nth`,
  ),
);

/** Reads the events of each request in its order. One statement reads all of them. */
export async function readEventsOfRecords(
  db: Db,
  account: string,
  requests: readonly RecordsEvents[],
  columns: LineOrWhole,
): Promise<readonly (readonly FeedEvent[])[]> {
  const wanted = requests.flatMap(({ targets, after, order, limit }, index) =>
    targets.map((target) => ({
      ...target,
      ordinal: index + 1,
      after,
      step: order === 'oldest' ? 1 : -1,
      limit,
    })),
  );
  const statement = eventsOfRecords[columns]({
    account,
    ordinals: wanted.map(({ ordinal }) => ordinal),
    types: wanted.map(({ type }) => type),
    ids: wanted.map(({ id }) => id),
    afters: wanted.map(({ after }) => after),
    steps: wanted.map(({ step }) => step),
    limits: wanted.map(({ limit }) => limit),
  });
  const found = await readRowsOfEach(db, statement, EVENT_COLUMNS[columns], requests.length);
  return found.map((rows) => rows.map(toFeedEvent));
}
