import { queryIn, queryOn, type Db, type Tx } from '../../../platform/database/db.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { ReplayScope } from './jobs/replay-job.ts';

/** The due time and the deadline of newly queued deliveries. */
export type Queueing = { readonly now: Date; readonly deadline: Date };

/** An endpoint that receives an event, and the id of its job. */
export type Target = { readonly endpointId: string; readonly jobId: string };

const place = prepareFile(import.meta, 'replay-place.sql');

/** Returns an event's place in the feed. Null when the merchant account has no such event in the feed. */
export async function findPlace(
  tx: Tx,
  merchantAccountId: string,
  eventId: string,
): Promise<{ readonly position: bigint; readonly sequence: bigint } | null> {
  if (!isUuid(eventId)) return null;
  const [row] = await queryIn(tx).query<{ position: bigint; sequence: bigint }>(
    place({ account: merchantAccountId, event: eventId }),
  );
  return row ?? null;
}

const matching = prepareFile(import.meta, 'replay-matching.sql');

/** Returns the endpoints whose patterns match the event now, without deleted ones. */
export async function findMatching(tx: Tx, merchantAccountId: string, position: bigint): Promise<string[]> {
  const rows = await queryIn(tx).query<{ id: string }>(matching({ account: merchantAccountId, position }));
  return rows.map(({ id }) => id);
}

const queue = prepareFile(import.meta, 'replay-queue.sql');

/** Queues one event for each target, and writes a finished job for each. Returns the jobs that queued a delivery. */
export async function queueEvent(
  tx: Tx,
  merchantAccountId: string,
  at: { readonly position: bigint; readonly sequence: bigint },
  targets: readonly Target[],
  { now, deadline }: Queueing,
): Promise<ReadonlySet<string>> {
  const rows = await queryIn(tx).query<{ replay_id: string }>(
    queue({
      endpoints: targets.map(({ endpointId }) => endpointId),
      jobs: targets.map(({ jobId }) => jobId),
      account: merchantAccountId,
      ...at,
      now,
      deadline,
    }),
  );
  return new Set(rows.map(({ replay_id }) => replay_id));
}

/** The limits of one step of the worker. */
export type Step = Queueing & {
  /** The number of due deliveries of an endpoint at which its jobs wait. */
  readonly dueMax: number;
  /** The most events to read. */
  readonly scanMax: bigint;
};

/**
 * Queues the next chunk of the job that waited longest and whose endpoint has room. Commits the deliveries and the
 * job's progress together, so a crash leaves both or neither. Skips a job that another process is working on. Returns
 * false when no job is ready.
 */
export async function moveChunk(db: Db, { now, deadline, dueMax, scanMax }: Step): Promise<boolean> {
  const client = await db.connect();
  try {
    // A frozen process loses its connection, and with it the job's lock.
    await client.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 1000');
    // The lock has its own statement, so that the next statement's snapshot begins after the lock.
    const { query } = queryOn(client);
    const [job] = await query<Taken>(take({ now, dueMax }));
    if (job) {
      const [done, last] = [BigInt(job.doneSequence), BigInt(job.untilSequence)];
      const until = done + scanMax < last ? done + scanMax : last;
      const { account, endpoint, scope, id, room } = job;
      const values = { account, endpoint, scope, id, room, after: done, until, now, deadline };
      await query(move(values));
      await failpoint('replay.moved');
    }
    await client.query('COMMIT');
    client.release();
    if (job) await failpoint('replay.committed');
    return job !== undefined;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

type Taken = {
  readonly account: string;
  readonly id: string;
  readonly endpoint: string;
  readonly scope: ReplayScope;
  readonly doneSequence: string;
  readonly untilSequence: string;
  readonly room: number;
};

const take = prepareFile(import.meta, 'replay-take.sql');

const move = prepareFile(import.meta, 'replay-move.sql');

/** Cancels the jobs of deleted endpoints. Their queued deliveries were cancelled with the endpoint. */
export async function cancelOrphans(db: Db, now: Date): Promise<void> {
  await db.query(orphans({ now }));
}

const orphans = prepareFile(import.meta, 'replay-orphans.sql');
