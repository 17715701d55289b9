import type { Db } from '../../../../platform/database/db.ts';
import type { LineOrWhole } from '../../../../platform/database/column-set.ts';
import type { ReadLanes } from '../../../../platform/feed/feed-tail.ts';
import { byKey, prepare, prepareFile, type Statement } from '../../../../platform/database/statement.ts';
import { entryOf, eventAt } from './event-at.sql.ts';
import { EVENT_COLUMNS, forEachSet, readEvents } from './event-columns.sql.ts';
import type { FeedEvent } from '../feed-event.ts';
import { matchesNameSql } from './names.sql.ts';

/** The retained part of a merchant account's feed: the sequences `floor + 1` to `head`, all of them. */
export type Bounds = {
  /** The last removed sequence. 0 when none was removed. */
  readonly floor: bigint;
  /** The last sequence. 0 when there never was an event. */
  readonly head: bigint;
  /** The event at the head. Null without one, or when it was removed. */
  readonly headId: string | null;
  /** The event at the sequence that the caller asked about. Null without one, or when it was removed. */
  readonly idAt: string | null;
};

const bounds = prepareFile(import.meta, 'feed-bounds.sql');

/**
 * Returns the retained part of a merchant account's feed, and the event at a sequence. Both bounds are 0 for an account
 * without events.
 */
export async function readBounds(db: Db, account: string, at: bigint | null = null): Promise<Bounds> {
  const [row] = await db.query<{
    sequence: string;
    floor: string;
    headId: string | null;
    idAt: string | null;
  }>(bounds({ account, at }));
  const { headId = null, idAt = null } = row ?? {};
  return { floor: BigInt(row?.floor ?? 0), head: BigInt(row?.sequence ?? 0), headId, idAt };
}

const placeBefore = prepareFile(import.meta, 'feed-place-before.sql');

/** Returns the last event up to a sequence that reached the feed at a moment or before. Null without one. */
export async function readPlaceBefore(
  db: Db,
  account: string,
  { below, moment }: { readonly below: bigint; readonly moment: Date },
): Promise<{ readonly sequence: bigint; readonly id: string } | null> {
  const [row] = await db.query<{ sequence: string; id: string }>(placeBefore({ account, below, moment }));
  return row ? { sequence: BigInt(row.sequence), id: row.id } : null;
}

/** A part of a feed: the sequences `after + 1` to `until`. */
export type FeedRange = {
  readonly after: bigint;
  readonly until: bigint;
  /** Event names and patterns. Empty: every event. */
  readonly patterns: readonly string[];
  readonly limit: number;
  /** The rows that come first, and that the limit keeps. The default is the oldest. */
  readonly order?: 'oldest' | 'newest';
};

/** A part of a feed to read, with the columns of its events. */
export type FeedRead = FeedRange & { readonly columns: LineOrWhole };

/** Returns events of a range. Reads the whole range when few of its events match, so the range must be short. */
export async function readRange(
  db: Db,
  merchantAccountId: string,
  { after, until, patterns, limit, order = 'oldest', columns }: FeedRead,
): Promise<readonly FeedEvent[]> {
  const statement = (patterns.length === 0 ? range : rangeFiltered)[order][columns];
  return await readEvents(
    db,
    statement({ account: merchantAccountId, after, until, patterns, limit }),
    columns,
  );
}

const rangeStatement = (name: string, condition: string, direction: 'ASC' | 'DESC') =>
  forEachSet((columns, set) =>
    prepare(
      `${name}_${set}`,
      `SELECT ${columns} FROM feed_entry f ${eventAt('f.position', '@account')}
       WHERE f.merchant_account_id = @account AND f.sequence > @after AND f.sequence <= @until ${condition}
       ORDER BY f.sequence ${direction} LIMIT @limit`,
    ),
  );
const range = {
  oldest: rangeStatement('feed_range', '', 'ASC'),
  newest: rangeStatement('feed_range_newest', '', 'DESC'),
};
const MATCHES = `AND ${matchesNameSql('@patterns::text[]', 'e.name')}`;
const rangeFiltered = {
  oldest: rangeStatement('feed_range_filtered', MATCHES, 'ASC'),
  newest: rangeStatement('feed_range_filtered_newest', MATCHES, 'DESC'),
};

/** Counts the events of a range that match. The count ends at the limit. Reads as `readRange` does. */
export const countRange = (db: Db, merchantAccountId: string, range: FeedRange): Promise<number> =>
  count(db, rangeCounted({ account: merchantAccountId, ...range }));

const rangeCounted = prepareFile(import.meta, 'feed-range-counted.sql');

async function count(db: Db, statement: Statement): Promise<number> {
  const [row] = await db.query<{ readonly count: number }>(statement);
  return row?.count ?? 0;
}

/** A record that events are about. */
export type EventTarget = { readonly type: string; readonly id: string };

/**
 * Returns events of a range that are about one record. Reads only the events of that record, however long the range is.
 */
export async function readRangeAbout(
  db: Db,
  account: string,
  { type, id }: EventTarget,
  { after, until, patterns, limit, order = 'oldest', columns }: FeedRead,
): Promise<readonly FeedEvent[]> {
  const statement = rangeAbout[order][columns]({ account, type, id, after, until, patterns, limit });
  return await readEvents(db, statement, columns);
}

// The events are looked up by their record, and their feed entries one by one. OFFSET 0 prevents a scan of the whole
// feed in its order. The inner ORDER BY is the order of the index of records.
const rangeAboutStatement = (name: string, direction: 'ASC' | 'DESC') =>
  forEachSet((columns, set) =>
    prepare(
      `${name}_${set}`,
      `SELECT ${columns} FROM (
         SELECT * FROM event WHERE merchant_account_id = @account AND target_type = @type AND target_id = @id
         ORDER BY position OFFSET 0) e
       ${entryOf('@account')}
       WHERE f.sequence > @after AND f.sequence <= @until AND ${matchesNameSql('@patterns::text[]', 'e.name')}
       ORDER BY f.sequence ${direction} LIMIT @limit`,
    ),
  );
const rangeAbout = {
  oldest: rangeAboutStatement('feed_range_about', 'ASC'),
  newest: rangeAboutStatement('feed_range_about_newest', 'DESC'),
};

/** Counts the events of a range that are about one record. The count ends at the limit. */
export const countRangeAbout = (
  db: Db,
  merchantAccountId: string,
  target: EventTarget,
  range: FeedRange,
): Promise<number> => count(db, rangeAboutCounted({ account: merchantAccountId, ...target, ...range }));

const rangeAboutCounted = prepareFile(import.meta, 'feed-range-about-counted.sql');

const lanesStatement = prepare(
  'feed_lanes',
  `SELECT ${EVENT_COLUMNS.whole.select('e')} FROM unnest(@accounts::text[], @afters::bigint[]) AS lane (account, after)
             JOIN feed_head h ON ${byKey('h.merchant_account_id', 'lane.account')} AND h.sequence > lane.after
             CROSS JOIN LATERAL (
               SELECT * FROM feed_entry WHERE merchant_account_id = lane.account AND sequence > lane.after
               ORDER BY sequence LIMIT 200) f
             ${eventAt('f.position', 'lane.account')}
             ORDER BY f.merchant_account_id, f.sequence LIMIT 2000`,
);

/** Returns the new events of several feeds, with their payloads: at most 200 of each and 2000 in all. */
export const readLanes =
  (db: Db): ReadLanes =>
  (lanes) => {
    const accounts = lanes.map(({ merchantAccountId }) => merchantAccountId);
    const afters = lanes.map(({ after }) => after);
    return readEvents(db, lanesStatement({ accounts, afters }), 'whole');
  };
