import { queryIn, queryOn, type Db, type Tx } from '../../../platform/database/db.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { prepare } from '../../../platform/database/statement.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { ReplayScope } from './replay-job.ts';
import { eventAt } from '../feed/event-at.sql.ts';
import { matchesNameSql } from '../feed/names.sql.ts';

/** A CTE of the feed's events after @after up to @until, with the endpoint's delivery of each. */
export const RANGE = `
  feed_range AS MATERIALIZED (
    SELECT f.sequence, f.position, d.state, ${matchesNameSql('w.event_names', 'e.name')} AS matches
    FROM webhook_endpoint w
    JOIN feed_entry f ON f.merchant_account_id = w.merchant_account_id AND f.sequence > @after AND f.sequence <= @until
    ${eventAt('f.position')}
    LEFT JOIN delivery d ON d.endpoint_id = w.id AND d.position = f.position
    WHERE w.merchant_account_id = @account AND w.id = @endpoint::uuid)`;

/** Returns the condition that a row of the range is in @scope. A delivery in progress is in no scope. */
export const inScope = (row: string): string => `
  CASE WHEN ${row}.state IS NULL THEN ${row}.matches AND @scope::text <> 'failed'
       WHEN @scope::text = 'missing' THEN false
       ELSE ${row}.state IN ('expired', 'cancelled') OR (${row}.state = 'done' AND @scope::text = 'all') END`;

/**
 * Inserts a delivery, or restarts an ended one with a whole new schedule. The number of attempts continues. A delivery
 * that another process has made pending meanwhile stays unchanged.
 */
const REQUEUE = `
  ON CONFLICT (merchant_account_id, endpoint_id, position) DO UPDATE SET state = 'pending', attempt = 0, replay_id = excluded.replay_id,
    next_at = excluded.next_at, deadline = excluded.deadline, settled_at = NULL
  WHERE delivery.state NOT IN ('pending', 'leased')`;

/** The due time and the deadline of newly queued deliveries. */
export type Queueing = { readonly now: Date; readonly deadline: Date };

/** An endpoint that receives an event, and the id of its job. */
export type Target = { readonly endpointId: string; readonly jobId: string };

const place = prepare(
  'replay_place',
  `SELECT e.position, f.sequence FROM event e JOIN feed_entry f USING (position)
   WHERE e.merchant_account_id = @account AND e.id = @event::uuid`,
);

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

const matching = prepare(
  'replay_matching',
  `SELECT w.id FROM event e JOIN webhook_endpoint w USING (merchant_account_id)
   WHERE e.merchant_account_id = @account AND e.position = @position AND w.deleted_at IS NULL
     AND ${matchesNameSql('w.event_names', 'e.name')}
   ORDER BY w.id`,
);

/** Returns the endpoints whose patterns match the event now, without deleted ones. */
export async function findMatching(tx: Tx, merchantAccountId: string, position: bigint): Promise<string[]> {
  const rows = await queryIn(tx).query<{ id: string }>(matching({ account: merchantAccountId, position }));
  return rows.map(({ id }) => id);
}

const queue = prepare(
  'replay_queue',
  `WITH target AS (SELECT * FROM unnest(@endpoints::uuid[], @jobs::uuid[]) AS t (endpoint_id, job_id)),
     queued AS (
       INSERT INTO delivery (merchant_account_id, endpoint_id, position, replay_id, next_at, deadline, created_at)
       SELECT @account, endpoint_id, @position, job_id, @now, @deadline, @now FROM target ORDER BY endpoint_id
       ${REQUEUE} RETURNING replay_id),
     recorded AS (
       INSERT INTO replay_job (merchant_account_id, id, endpoint_id, scope, from_sequence, until_sequence, done_sequence,
                               queued, state, created_at, updated_at, ended_at)
       SELECT @account, t.job_id, t.endpoint_id, 'all', @sequence, @sequence, @sequence, count(q.replay_id), 'done', @now, @now, @now
       FROM target t LEFT JOIN queued q ON q.replay_id = t.job_id GROUP BY t.job_id, t.endpoint_id)
     SELECT replay_id FROM queued`,
);

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

const take = prepare(
  'replay_take',
  `SELECT j.merchant_account_id AS account, j.id, j.endpoint_id AS endpoint, j.scope,
          j.done_sequence AS "doneSequence", j.until_sequence AS "untilSequence", @dueMax::int - due.count AS room
   FROM replay_job j CROSS JOIN LATERAL (
     SELECT count(*)::int FROM (
       SELECT 1 FROM delivery d WHERE d.endpoint_id = j.endpoint_id AND d.state = 'pending' AND d.next_at <= @now
       LIMIT @dueMax::int) one) due
   WHERE j.state = 'running' AND due.count < @dueMax::int
   ORDER BY j.updated_at LIMIT 1 FOR NO KEY UPDATE OF j SKIP LOCKED`,
);

// If the room is smaller than the range, the job continues after the last queued event.
const move = prepare(
  'replay_move',
  `WITH ${RANGE},
   chosen AS MATERIALIZED (
     SELECT s.sequence, s.position FROM feed_range s WHERE ${inScope('s')} ORDER BY s.sequence LIMIT @room::int),
   queued AS (
     INSERT INTO delivery (merchant_account_id, endpoint_id, position, replay_id, next_at, deadline, created_at)
     SELECT @account, @endpoint::uuid, position, @id::uuid, @now, @deadline, @now FROM chosen ORDER BY position
     ${REQUEUE} RETURNING 1),
   reached AS (
     SELECT CASE WHEN count(*) = @room::int THEN max(sequence) ELSE @until END AS sequence FROM chosen)
   UPDATE replay_job j SET done_sequence = reached.sequence, queued = queued + (SELECT count(*) FROM queued),
     updated_at = @now, state = CASE WHEN reached.sequence = j.until_sequence THEN 'done' ELSE j.state END,
     ended_at = CASE WHEN reached.sequence = j.until_sequence THEN @now::timestamptz END
   FROM reached WHERE j.merchant_account_id = @account AND j.id = @id::uuid`,
);

/** Cancels the jobs of deleted endpoints. Their queued deliveries were cancelled with the endpoint. */
export async function cancelOrphans(db: Db, now: Date): Promise<void> {
  await db.query(orphans({ now }));
}

const orphans = prepare(
  'replay_orphans',
  `UPDATE replay_job j SET state = 'cancelled', ended_at = @now, updated_at = @now FROM webhook_endpoint w
   WHERE j.state = 'running' AND w.merchant_account_id = j.merchant_account_id AND w.id = j.endpoint_id
     AND w.deleted_at IS NOT NULL`,
);
