import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { migrate } from '../../src/platform/migrate/migrate.ts';
import type { Settings } from '../support/command.ts';
import { onServer, query } from '../support/database.ts';
import { startPostgres } from '../support/postgres.ts';

/** The storage of a bench's database files. */
export type Place = 'disk' | 'memory' | 'server of DATABASE_URL';

/** The settings of a bench's servers and apps. */
export type BenchSettings = Settings & { readonly DATABASE_URL: string };

const MEMORY = '/dev/shm';

// oxlint-disable-next-line no-restricted-properties -- a bench has no configuration of its own
const given = process.env['DATABASE_URL'];

/**
 * Lists the storages for latencies. On a disk a commit waits, and the disk causes the longest waits. Linux also
 * offers memory, where the same measurement runs without a disk.
 */
export async function places(): Promise<readonly Place[]> {
  if (given) return ['server of DATABASE_URL'];
  const hasMemory = await access(MEMORY, constants.W_OK).then(
    () => true,
    () => false,
  );
  return hasMemory ? ['disk', 'memory'] : ['disk'];
}

/** Runs a function with a new migrated database, on the server of DATABASE_URL or on a new server. */
export async function inDatabase<Value>(
  place: Place,
  run: (settings: BenchSettings) => Promise<Value>,
): Promise<Value> {
  const postgres = given ? null : await startPostgres({}, place === 'memory' ? MEMORY : tmpdir());
  const server = given ?? postgres?.url('postgres') ?? '';
  const name = `paygraph_bench_${randomBytes(4).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name}`);
  try {
    const DATABASE_URL = new URL(`/${name}`, server).href;
    await migrate(DATABASE_URL);
    const PAYGRAPH_MASTER_KEY = randomBytes(32).toString('base64');
    return await run({ DATABASE_URL, PAYGRAPH_MASTER_KEY, LOG_LEVEL: 'error', ...WITHOUT_BUDGETS });
  } finally {
    if (postgres) await postgres.close();
    else await onServer(server, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

/**
 * Fills a bench's database. Meanwhile an own server has settings for bulk work, so that its indexes are built sooner. Afterwards it
 * has its own defaults again, and has written everything to the disk.
 */
export async function inBulk(url: string, fill: () => Promise<void>): Promise<void> {
  if (given) return await fill();
  const change = async (statements: readonly string[]): Promise<void> => {
    for (const each of statements) await query(url, `ALTER SYSTEM ${each}`);
    await query(url, 'SELECT pg_reload_conf()');
  };
  await change(Object.entries(BULK).map(([name, value]) => `SET ${name} = '${value}'`));
  await fill();
  await change(Object.keys(BULK).map((name) => `RESET ${name}`));
  await query(url, 'CHECKPOINT');
}

const BULK = {
  maintenance_work_mem: '1GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  synchronous_commit: 'off',
  autovacuum: 'off',
  // The database has no other purpose, so a crash may destroy it.
  full_page_writes: 'off',
  fsync: 'off',
} as const;

/** Describes the server's version and settings in a sentence. */
export async function describeServer(url: string): Promise<string> {
  const [version] = await query<{ server_version: string }>(url, 'SHOW server_version');
  return `Postgres ${version?.server_version}, ${given ? 'given by DATABASE_URL' : 'with its own defaults'}.`;
}

/** The budgets of a new installation. */
export const DEFAULT_BUDGETS = {
  PAYGRAPH_REQUESTS_PER_SECOND: '',
  PAYGRAPH_COST_PER_SECOND: '',
  PAYGRAPH_LATE_WORK_MS: '',
};

/** A bench measures the service itself, and one merchant account sends all requests. */
export const WITHOUT_BUDGETS = {
  PAYGRAPH_REQUESTS_PER_SECOND: 'off',
  PAYGRAPH_COST_PER_SECOND: 'off',
  PAYGRAPH_LATE_WORK_MS: 'off',
};
