import type { Db } from '../../../platform/db.ts';
import type { FeedRow, ReadLanes } from '../../../platform/feed-tail.ts';
import { withSequence } from '../../event-log/index.ts';
import { byKey } from '../../../platform/statement.ts';
import { eventAt } from './event-at.sql.ts';
import { matchesNameSql } from './names.sql.ts';

const COLUMNS = `f.merchant_account_id AS "merchantAccountId", f.sequence, e.id, e.name,
  e.target_type AS "targetType", e.target_id AS "targetId", e.payload, e.created_at AS "createdAt"`;

/** What there is of a merchant account's feed: the sequences `floor + 1` to `head`, all of them. */
export type Bounds = {
  /** Up to here events were removed, as older than the retention; 0 while none was. */
  readonly floor: bigint;
  /** The last sequence; 0 when there never was an event. */
  readonly head: bigint;
};

export async function readBounds(db: Db, merchantAccountId: string): Promise<Bounds> {
  const [row] = await db.query<{ sequence: string; floor: string }>({
    name: 'feed_bounds',
    text: 'SELECT sequence, floor FROM feed_head WHERE merchant_account_id = $1',
    values: [merchantAccountId],
  });
  return { floor: BigInt(row?.floor ?? 0), head: BigInt(row?.sequence ?? 0) };
}

/** The last sequence of a merchant account's feed; 0 when it is empty. */
export const readHead = async (db: Db, merchantAccountId: string): Promise<bigint> =>
  (await readBounds(db, merchantAccountId)).head;

/** A part of a feed, both ends of it included in the sequences `after + 1` to `until`. */
export type Stretch = {
  readonly after: bigint;
  readonly until: bigint;
  /** Event names and patterns; empty: every event. */
  readonly patterns: readonly string[];
  readonly limit: number;
};

/** Rows of a stretch, oldest first. Looks at the whole stretch when few of its events match: keep it short. */
export async function readStretch(
  db: Db,
  merchantAccountId: string,
  { after, until, patterns, limit }: Stretch,
): Promise<readonly FeedRow[]> {
  const rows = await db.query<Row>({
    name: patterns.length === 0 ? 'feed_stretch' : 'feed_stretch_filtered',
    text: `SELECT ${COLUMNS} FROM feed_entry f ${eventAt('f.position')}
           WHERE f.merchant_account_id = $1 AND f.sequence > $2 AND f.sequence <= $3
             ${patterns.length === 0 ? '' : `AND ${matchesNameSql('$5::text[]', 'e.name')}`}
           ORDER BY f.sequence LIMIT $4`,
    values: [merchantAccountId, after, until, limit, ...(patterns.length === 0 ? [] : [patterns])],
  });
  return rows.map(toFeedRow);
}

/** A record that events are about. */
export type EventTarget = { readonly type: string; readonly id: string };

/**
 * Rows of a stretch that are about one record, oldest first. Looks at the events of that record and at nothing else,
 * however long the stretch is.
 */
export async function readStretchAbout(
  db: Db,
  merchantAccountId: string,
  { type, id }: EventTarget,
  { after, until, patterns, limit }: Stretch,
): Promise<readonly FeedRow[]> {
  const rows = await db.query<Row>({
    name: 'feed_stretch_about',
    text: STRETCH_ABOUT,
    values: [merchantAccountId, type, id, after, until, patterns, limit],
  });
  return rows.map(toFeedRow);
}

// The order is the feed's, so that the events are looked up by their record and their places in the feed one by one;
// OFFSET 0 keeps the planner from reading the feed in its order until it has met enough of them. Events are asked for in the
// order of the index of records.
const STRETCH_ABOUT = `
  SELECT ${COLUMNS} FROM (
    SELECT * FROM event WHERE merchant_account_id = $1 AND target_type = $2 AND target_id = $3
    ORDER BY position OFFSET 0) e
  CROSS JOIN LATERAL (SELECT merchant_account_id, sequence FROM feed_entry WHERE position = e.position OFFSET 0) f
  WHERE f.sequence > $4 AND f.sequence <= $5 AND ${matchesNameSql('$6::text[]', 'e.name')}
  ORDER BY f.sequence LIMIT $7`;

/** What is new in several feeds: at most 200 rows of each and 2000 in all. */
export const readLanes =
  (db: Db): ReadLanes =>
  async (lanes) => {
    const rows = await db.query<Row>({
      name: 'feed_lanes',
      text: `SELECT ${COLUMNS} FROM unnest($1::text[], $2::bigint[]) AS lane (account, after)
             JOIN feed_head h ON ${byKey('h.merchant_account_id', 'lane.account')} AND h.sequence > lane.after
             CROSS JOIN LATERAL (
               SELECT * FROM feed_entry WHERE merchant_account_id = lane.account AND sequence > lane.after
               ORDER BY sequence LIMIT 200) f
             ${eventAt('f.position')}
             ORDER BY f.merchant_account_id, f.sequence LIMIT 2000`,
      values: [lanes.map(({ merchantAccountId }) => merchantAccountId), lanes.map(({ after }) => after)],
    });
    return rows.map(toFeedRow);
  };

/** The driver gives a 64-bit integer as text. */
type Row = Omit<FeedRow, 'sequence'> & { readonly sequence: string };

function toFeedRow(row: Row): FeedRow {
  const sequence = BigInt(row.sequence);
  return { ...row, sequence, payload: withSequence(row.payload, sequence) };
}
