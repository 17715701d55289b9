import type { Db } from '../../../platform/db.ts';
import type { FeedRow, ReadLanes } from '../../../platform/feed-tail.ts';
import { withSequence } from '../../event-log/index.ts';
import { byKey } from '../../../platform/statement.ts';
import { eventAt } from './event-at.sql.ts';
import { matchesNameSql } from './names.sql.ts';

const COLUMNS = `f.merchant_account_id AS "merchantAccountId", f.sequence, e.id, e.name,
  e.target_type AS "targetType", e.target_id AS "targetId", e.payload, e.created_at AS "createdAt"`;

/** The retained part of a merchant account's feed: the sequences `floor + 1` to `head`, all of them. */
export type Bounds = {
  /** The last removed sequence. 0 when none was removed. */
  readonly floor: bigint;
  /** The last sequence. 0 when there never was an event. */
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

/** Returns the last sequence of a merchant account's feed, or 0 for an empty feed. */
export const readHead = async (db: Db, merchantAccountId: string): Promise<bigint> =>
  (await readBounds(db, merchantAccountId)).head;

/** A part of a feed: the sequences `after + 1` to `until`. */
export type FeedRange = {
  readonly after: bigint;
  readonly until: bigint;
  /** Event names and patterns. Empty: every event. */
  readonly patterns: readonly string[];
  readonly limit: number;
};

/**
 * Returns rows of a range, oldest first. Reads the whole range when few of its events match, so the range must be
 * short.
 */
export async function readRange(
  db: Db,
  merchantAccountId: string,
  { after, until, patterns, limit }: FeedRange,
): Promise<readonly FeedRow[]> {
  const rows = await db.query<Row>({
    name: patterns.length === 0 ? 'feed_range' : 'feed_range_filtered',
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
 * Returns rows of a range that are about one record, oldest first. Reads only the events of that record, however long
 * the range is.
 */
export async function readRangeAbout(
  db: Db,
  merchantAccountId: string,
  { type, id }: EventTarget,
  { after, until, patterns, limit }: FeedRange,
): Promise<readonly FeedRow[]> {
  const rows = await db.query<Row>({
    name: 'feed_range_about',
    text: RANGE_ABOUT,
    values: [merchantAccountId, type, id, after, until, patterns, limit],
  });
  return rows.map(toFeedRow);
}

// The events are looked up by their record, and their feed entries one by one. OFFSET 0 prevents a scan of the whole
// feed in its order. The inner ORDER BY is the order of the index of records.
const RANGE_ABOUT = `
  SELECT ${COLUMNS} FROM (
    SELECT * FROM event WHERE merchant_account_id = $1 AND target_type = $2 AND target_id = $3
    ORDER BY position OFFSET 0) e
  CROSS JOIN LATERAL (SELECT merchant_account_id, sequence FROM feed_entry WHERE position = e.position OFFSET 0) f
  WHERE f.sequence > $4 AND f.sequence <= $5 AND ${matchesNameSql('$6::text[]', 'e.name')}
  ORDER BY f.sequence LIMIT $7`;

/** Returns the new rows of several feeds: at most 200 of each and 2000 in all. */
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

/** The driver returns a 64-bit integer as text. */
type Row = Omit<FeedRow, 'sequence'> & { readonly sequence: string };

function toFeedRow(row: Row): FeedRow {
  const sequence = BigInt(row.sequence);
  return { ...row, sequence, payload: withSequence(row.payload, sequence) };
}
