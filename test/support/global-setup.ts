import { migrate } from '../../src/platform/migrate/migrate.ts';
import { onServer, SERVER_VARIABLE, TEMPLATE } from './database.ts';
import { startPostgres } from './postgres.ts';

/**
 * For speed only: nothing in this server outlives the run. The connections suffice for two workers with several pools
 * each. A generic plan at once spares the planning of the first five executions on each connection. The tables are small,
 * so the start of a parallel worker costs more than a worker saves.
 */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  plan_cache_mode: 'force_generic_plan',
  max_parallel_workers_per_gather: '0',
  max_connections: '300',
  // The write budget reads the log of the last seconds, and a checkpoint removes old parts of the log.
  wal_keep_size: '512MB',
};

/** Starts one Postgres for the whole run, with a migrated template for all test databases. */
export default async function setUp(): Promise<void> {
  const postgres = await startPostgres(SETTINGS);
  const url = postgres.url('postgres');
  await onServer(url, `CREATE DATABASE ${TEMPLATE}`);
  await migrate(postgres.url(TEMPLATE));
  // oxlint-disable-next-line no-restricted-properties -- the way from jest's setup to its workers
  process.env[SERVER_VARIABLE] = url;
  Object.assign(globalThis, { stopTestServer: () => postgres.close() });
}
