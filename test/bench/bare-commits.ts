import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** What goes on beside a measurement until it is stopped; the answer is milliseconds of each commit. */
export type BareCommits = { stop(): Promise<readonly number[]> };

const CONNECTIONS = 16;

/**
 * Commits rows of one column at random moments, so many a second, each timed from the moment at which it was due: what a
 * commit takes on this disk and at this moment, whoever makes it.
 */
export async function startBareCommits(databaseUrl: string, perSecond: number): Promise<BareCommits> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  await pool.query('CREATE TABLE bare_commit (at timestamptz NOT NULL)');
  const [tookMs, underWay]: [number[], Promise<unknown>[]] = [[], []];
  const stopped = new AbortController();
  const commit = async (due: number): Promise<void> => {
    await pool.query({ name: 'bare_commit', text: 'INSERT INTO bare_commit VALUES (now())' });
    tookMs.push(performance.now() - due);
  };
  const commitAll = async (): Promise<void> => {
    let due = performance.now();
    while (!stopped.signal.aborted) {
      due += (-Math.log(1 - Math.random()) * 1_000) / perSecond;
      await delay(Math.max(0, due - performance.now()));
      underWay.push(commit(due));
    }
  };
  const ended = commitAll();
  return {
    stop: async () => {
      stopped.abort();
      await ended;
      await Promise.all(underWay);
      await pool.end();
      return tookMs;
    },
  };
}
