import pg from 'pg';
import { randomMoments } from './random-moments.ts';

/** Commits beside a measurement. Stopping returns the milliseconds of each commit. */
export type BareCommits = { stop(): Promise<readonly number[]> };

const CONNECTIONS = 16;

/**
 * Commits rows of one column at random moments, so many a second. Each duration starts at the planned moment. The
 * figures show the cost of any commit on this disk at this time.
 */
export async function startBareCommits(databaseUrl: string, perSecond: number): Promise<BareCommits> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  await pool.query('CREATE TABLE bare_commit (at timestamptz NOT NULL)');
  const [tookMs, underWay]: [number[], Promise<unknown>[]] = [[], []];
  let stopped = false;
  const commit = async (due: number): Promise<void> => {
    await pool.query({ name: 'bare_commit', text: 'INSERT INTO bare_commit VALUES (now())' });
    tookMs.push(performance.now() - due);
  };
  const commitAll = async (): Promise<void> => {
    for await (const due of randomMoments(perSecond)) {
      if (stopped) return;
      underWay.push(commit(due));
    }
  };
  const ended = commitAll();
  return {
    stop: async () => {
      stopped = true;
      await ended;
      await Promise.all(underWay);
      await pool.end();
      return tookMs;
    },
  };
}
