import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';

const take = prepareFile(import.meta, 'outlet-take.sql');

/** A process's right to publish for an outlet. */
export type Lease = { readonly outlet: string; readonly lease: string };

/** Takes or lengthens a lease. Returns false while another process has the lease of the outlet. */
export async function takeLease(db: Db, { outlet, lease }: Lease, seconds: number): Promise<boolean> {
  return (await db.query<{ name: string }>(take({ outlet, lease, seconds }))).length > 0;
}

const giveBack = prepareFile(import.meta, 'outlet-give-back.sql');

/** Ends a lease, so that another process need not wait. */
export async function giveBackLease(db: Db, { outlet, lease }: Lease): Promise<void> {
  await db.query(giveBack({ outlet, lease }));
}

const feedVersion = prepareFile(import.meta, 'outlet-feed-version.sql');

/** Returns the version of the feed of all merchant accounts. It changes with every event. */
export async function readFeedVersion(db: Db): Promise<string | null> {
  const [row] = await db.query<{ version: string }>(feedVersion({}));
  return row?.version ?? null;
}

/** A merchant account with events for an outlet. */
export type Waiting = {
  readonly merchantAccountId: string;
  /** The last published sequence. */
  readonly after: bigint;
  /** The last sequence that the retention removed. 0 when none was removed. */
  readonly floor: bigint;
};

const waiting = prepareFile(import.meta, 'outlet-waiting.sql');

/** Returns merchant accounts with events that an outlet has not published, with their positions. */
export async function findWaiting(
  db: Db,
  { outlet, after, limit }: { readonly outlet: string; readonly after: string; readonly limit: number },
): Promise<readonly Waiting[]> {
  const rows = await db.query<{ account: string; position: string; floor: string }>(
    waiting({ outlet, after, limit }),
  );
  return rows.map(({ account, position, floor }) => ({
    merchantAccountId: account,
    after: BigInt(position),
    floor: BigInt(floor),
  }));
}

const commit = prepareFile(import.meta, 'outlet-commit.sql');

/** The last published sequences by merchant account. */
export type Positions = ReadonlyMap<string, bigint>;

/** Stores positions under a lease. Stores nothing when another process has taken the lease. */
export async function commitPositions(
  db: Db,
  { outlet, lease }: Lease,
  positions: Positions,
): Promise<number> {
  const accounts = [...positions.keys()];
  const sequences = [...positions.values()];
  const [row] = await db.query<{ written: number }>(commit({ outlet, lease, accounts, sequences }));
  return row?.written ?? 0;
}

const backlog = prepareFile(import.meta, 'outlet-backlog.sql');

/** The events that an outlet has not published. */
export type Backlog = {
  readonly events: number;
  /** The moment at which the oldest of them reached the feed. Null when none waits. */
  readonly oldest: Date | null;
};

/** Reads the backlog of an outlet, over all merchant accounts. */
export async function readBacklog(db: Db, outlet: string): Promise<Backlog> {
  const [row] = await db.query<{ events: string; oldest: Date | null }>(backlog({ outlet }));
  return { events: Number(row?.events ?? 0), oldest: row?.oldest ?? null };
}
