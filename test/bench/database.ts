import { randomBytes } from 'node:crypto';
import { onServer } from '../support/database.ts';
import { startPostgres } from '../support/postgres.ts';

/** An empty database for one run, on the server of DATABASE_URL or on one that is started for it. */
export type BenchDatabase = {
  readonly url: string;
  /** How the server was configured, in words. */
  readonly settings: string;
  close(): Promise<void>;
};

export async function openDatabase(): Promise<BenchDatabase> {
  // eslint-disable-next-line no-restricted-properties -- a bench has no configuration of its own
  const { DATABASE_URL: given } = process.env;
  const postgres = given ? null : await startPostgres();
  const server = given ?? postgres?.url('postgres') ?? '';
  const name = `paygraph_bench_${randomBytes(4).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name}`);
  return {
    url: new URL(`/${name}`, server).href,
    settings: postgres ? 'with its own defaults' : 'given by DATABASE_URL',
    close: async () => {
      if (postgres) await postgres.close();
      else await onServer(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}
