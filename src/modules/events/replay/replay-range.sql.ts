import type { Db, Tx } from '../../../platform/db.ts';
import { prepare } from '../../../platform/statement.ts';
import type { ReplayScope } from './replay-job.ts';
import { inScope, STRETCH } from './replay.sql.ts';

/** What a stretch of time is in the feed, both ends included. */
export type Stretch = { readonly fromSequence: bigint; readonly untilSequence: bigint };

/** A stretch, and what it lacks. */
export type FoundStretch = Stretch & {
  /** The first moment from which on every event is kept; null when none was ever removed, or all were. */
  readonly keptSince: Date | null;
};

/**
 * The events that reached the feed in a stretch of time; null stands for its beginning, as far as it is kept, and its end.
 * Halves the feed until the place is found: there is no index by time, and the relay writes times in the order of sequences.
 */
export async function findStretch(
  tx: Tx,
  merchantAccountId: string,
  { from, until }: { readonly from: Date | null; readonly until: Date | null },
): Promise<FoundStretch> {
  const [row] = await tx.$queryRaw<{ first: bigint; last: bigint; kept_since: Date | null }[]>`
    WITH RECURSIVE head AS (
      SELECT floor, sequence FROM feed_head WHERE merchant_account_id = ${merchantAccountId}),
    reaching AS (
      SELECT floor + 1 AS low, sequence + 1 AS high FROM head
      UNION ALL
      SELECT CASE WHEN f.created_at >= ${from}::timestamptz THEN low ELSE middle + 1 END,
             CASE WHEN f.created_at >= ${from}::timestamptz THEN middle ELSE high END
      FROM reaching CROSS JOIN LATERAL (SELECT (low + high) / 2 AS middle) m
      LEFT JOIN feed_entry f ON f.merchant_account_id = ${merchantAccountId} AND f.sequence = middle
      WHERE low < high),
    passing AS (
      SELECT floor + 1 AS low, sequence + 1 AS high FROM head
      UNION ALL
      SELECT CASE WHEN f.created_at > ${until}::timestamptz THEN low ELSE middle + 1 END,
             CASE WHEN f.created_at > ${until}::timestamptz THEN middle ELSE high END
      FROM passing CROSS JOIN LATERAL (SELECT (low + high) / 2 AS middle) m
      LEFT JOIN feed_entry f ON f.merchant_account_id = ${merchantAccountId} AND f.sequence = middle
      WHERE low < high)
    SELECT CASE WHEN ${from}::timestamptz IS NULL THEN floor + 1 ELSE (SELECT max(low) FROM reaching) END AS first,
           CASE WHEN ${until}::timestamptz IS NULL THEN sequence ELSE (SELECT max(low) FROM passing) - 1 END AS last,
           (SELECT created_at FROM feed_entry
            WHERE merchant_account_id = ${merchantAccountId} AND sequence = floor + 1 AND floor > 0) AS kept_since
    FROM head`;
  // A merchant account without events has no head.
  const fromSequence = row?.first ?? 1n;
  const last = row?.last ?? 0n;
  const untilSequence = last < fromSequence ? fromSequence - 1n : last;
  return { fromSequence, untilSequence, keptSince: row?.kept_since ?? null };
}

/** What a job would queue in a part of the feed: behind `after`, to `until`. Looks at all of it: keep it short. */
export type Uncounted = {
  readonly endpointId: string;
  readonly scope: ReplayScope;
  readonly after: bigint;
  readonly until: bigint;
};

const countStatement = prepare(
  'replay_count',
  `WITH ${STRETCH} SELECT count(*)::int AS count FROM stretch s WHERE ${inScope('s')}`,
);

export async function countInScope(db: Db, account: string, part: Uncounted): Promise<number> {
  const { endpointId: endpoint, scope, after, until } = part;
  const [row] = await db.query<{ count: number }>(countStatement({ account, endpoint, scope, after, until }));
  return row?.count ?? 0;
}
