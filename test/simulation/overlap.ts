import type pg from 'pg';
import type { Db } from '../../src/platform/database/db.ts';
import type { Statement } from '../../src/platform/database/statement.ts';
import type { Overlap } from './stage.ts';

type Outcome = PromiseSettledResult<unknown>;

/**
 * Runs two statements so that the second starts before the first one's commit, as in a race of two processes. The
 * first always wins. Its commit comes when the second waits for its locks, or has ended. So the race always has the
 * same result.
 *
 * When the second has ended, a relay looks at the events before the first one's commit. So the relay finds an event behind the place of
 * one that is not there yet.
 */
export async function overlap(
  first: Overlap,
  second: Overlap,
  relay: () => Promise<unknown>,
): Promise<readonly [Outcome, Outcome]> {
  const holder = await first.db.connect();
  const rival = await second.db.connect();
  try {
    const rivalPid = await pidOf(rival);
    await holder.query('BEGIN');
    const [held] = await Promise.allSettled([run(holder, first.statement)]);
    const racing = Promise.allSettled([run(rival, second.statement)]);
    const isDone = await blockedOrDone(second.db, rivalPid, racing);
    if (isDone) await relay();
    await holder.query(held.status === 'fulfilled' ? 'COMMIT' : 'ROLLBACK');
    return [held, (await racing)[0]];
  } finally {
    holder.release();
    rival.release();
  }
}

const run = async (client: pg.PoolClient, { name, text, values }: Statement): Promise<readonly unknown[]> => {
  const query = { ...(name !== null && { name }), text, values: [...values] };
  return (await client.query<Record<string, unknown>>(query)).rows;
};

const pids = new WeakMap<pg.PoolClient, number>();

async function pidOf(client: pg.PoolClient): Promise<number> {
  const known = pids.get(client);
  if (known !== undefined) return known;
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const pid = rows[0]?.pid ?? 0;
  pids.set(client, pid);
  return pid;
}

/** Waits until the statement waits for a lock or has ended. Returns true when it has ended. */
async function blockedOrDone(db: Db, pid: number, racing: Promise<unknown>): Promise<boolean> {
  const done = racing.then(() => true);
  for (;;) {
    const blocked = db.query<{ blocked: boolean }>({
      name: 'simulation_blocked',
      text: 'SELECT cardinality(pg_blocking_pids($1)) > 0 AS blocked',
      values: [pid],
    });
    const waits = blocked.then(([row]) => row?.blocked === true);
    const isDone = await Promise.race([done, waits.then(() => false)]);
    if (isDone || (await waits)) return isDone;
  }
}
