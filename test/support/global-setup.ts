import { migrate } from '../../src/platform/migrate/migrate.ts';
import { findPgBouncer } from '../deploy/pgbouncer.ts';
import { POOLER_VARIABLE } from './behind-pooler.ts';
import { onServer, SERVER_VARIABLE, TEMPLATE } from './database.ts';
import { startPooler, type Pooler } from './pooler.ts';
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
  const pooler = isBehindPooler() ? await openPooler(url) : null;
  Object.assign(globalThis, {
    stopTestServer: async () => {
      await pooler?.close();
      await postgres.close();
    },
  });
}

// oxlint-disable-next-line no-restricted-properties -- the runner of the tests sets it
const isBehindPooler = (): boolean => process.env['PAYGRAPH_TEST_BEHIND_POOLER'] !== undefined;

/** The limit of reads is that of the service by default. */
async function openPooler(server: string): Promise<Pooler> {
  const found = await findPgBouncer();
  if ('missing' in found) throw new Error(`There is no PgBouncer: ${found.missing}.`);
  const pooler = await startPooler({ root: found.root, server, readTimeoutMs: 5_000 });
  // oxlint-disable-next-line no-restricted-properties -- the way from jest's setup to its workers
  process.env[POOLER_VARIABLE] = `${pooler.port} ${new URL(server).host}`;
  return pooler;
}
