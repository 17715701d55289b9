import { queryIn, type Db, type Tx } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { ReplayScope } from './jobs/replay-job.ts';

/** The sequences of a period in the feed, both ends included. */
export type ReplayRange = { readonly fromSequence: bigint; readonly untilSequence: bigint };

/** A range and the start of the retained events. */
export type FoundRange = ReplayRange & {
  /** The first moment with complete events. Null when no event was ever removed, or all were. */
  readonly retainedSince: Date | null;
};

/**
 * Returns the events that reached the feed in a period. Null means the first retained event, or the last event.
 * Searches by halves, because times have no index. The relay writes times in the order of sequences.
 */
export async function findRange(
  tx: Tx,
  merchantAccountId: string,
  { from, until }: { readonly from: Date | null; readonly until: Date | null },
): Promise<FoundRange> {
  const [row] = await queryIn(tx).query<{ first: bigint; last: bigint; retained_since: Date | null }>(
    range({ account: merchantAccountId, from, until }),
  );
  // A merchant account without events has no head.
  const fromSequence = row?.first ?? 1n;
  const last = row?.last ?? 0n;
  const untilSequence = last < fromSequence ? fromSequence - 1n : last;
  return { fromSequence, untilSequence, retainedSince: row?.retained_since ?? null };
}

/**
 * A part of a job to count: after `after`, up to `until`. The statement reads the whole part, so the part must be
 * short.
 */
export type CountedPart = {
  readonly endpointId: string;
  readonly scope: ReplayScope;
  readonly after: bigint;
  readonly until: bigint;
};

const countStatement = prepareFile(import.meta, 'replay-count.sql');

export async function countInScope(db: Db, account: string, part: CountedPart): Promise<number> {
  const { endpointId: endpoint, scope, after, until } = part;
  const [row] = await db.query<{ count: number }>(countStatement({ account, endpoint, scope, after, until }));
  return row?.count ?? 0;
}

const range = prepareFile(import.meta, 'replay-range.sql');
