import type { Db } from '../../../platform/db.ts';
import type { FeedRow, ReadLanes } from '../../../platform/feed-tail.ts';
import { withSequence } from '../envelope.ts';
import { matchesNameSql } from './names.ts';

/** The last sequence of a merchant account's feed; 0 when it is empty. */
export async function readHead(db: Db, merchantAccountId: string): Promise<bigint> {
  const [row] = await db.query<{ sequence: string }>({
    name: 'feed_head',
    text: 'SELECT sequence FROM feed_head WHERE merchant_account_id = $1',
    values: [merchantAccountId],
  });
  return BigInt(row?.sequence ?? 0);
}

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
    text: `SELECT ${COLUMNS} FROM feed_entry f JOIN event e USING (position)
           WHERE f.merchant_account_id = $1 AND f.sequence > $2 AND f.sequence <= $3
             ${patterns.length === 0 ? '' : `AND ${matchesNameSql('$5::text[]', 'e.name')}`}
           ORDER BY f.sequence LIMIT $4`,
    values: [merchantAccountId, after, until, limit, ...(patterns.length === 0 ? [] : [patterns])],
  });
  return rows.map(toFeedRow);
}

/** What is new in several feeds: at most 200 rows of each and 2000 in all. */
export const readLanes =
  (db: Db): ReadLanes =>
  async (lanes) => {
    const rows = await db.query<Row>({
      name: 'feed_lanes',
      text: `SELECT ${COLUMNS} FROM unnest($1::text[], $2::bigint[]) AS lane (account, after)
             JOIN feed_head h ON h.merchant_account_id = lane.account AND h.sequence > lane.after
             CROSS JOIN LATERAL (
               SELECT * FROM feed_entry WHERE merchant_account_id = lane.account AND sequence > lane.after
               ORDER BY sequence LIMIT 200) f
             JOIN event e USING (position)
             ORDER BY f.merchant_account_id, f.sequence LIMIT 2000`,
      values: [lanes.map(({ merchantAccountId }) => merchantAccountId), lanes.map(({ after }) => after)],
    });
    return rows.map(toFeedRow);
  };

const COLUMNS = `f.merchant_account_id AS "merchantAccountId", f.sequence, e.id, e.name,
  e.target_type AS "targetType", e.target_id AS "targetId", e.payload, e.created_at AS "createdAt"`;

/** The driver gives a 64-bit integer as text. */
type Row = Omit<FeedRow, 'sequence'> & { readonly sequence: string };

function toFeedRow(row: Row): FeedRow {
  const sequence = BigInt(row.sequence);
  return { ...row, sequence, payload: withSequence(row.payload, sequence) };
}
