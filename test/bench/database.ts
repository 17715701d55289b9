import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { migrate } from '../../src/platform/migrate/migrate.ts';
import type { Settings } from '../support/command.ts';
import { onServer, query } from '../support/database.ts';
import { startPostgres } from '../support/postgres.ts';

/** Where the files of a bench's database lie. */
export type Place = 'disk' | 'memory' | 'server of DATABASE_URL';

/** What a server or an app of the bench is started with. */
export type BenchSettings = Settings & { readonly DATABASE_URL: string };

const MEMORY = '/dev/shm';

// oxlint-disable-next-line no-restricted-properties -- a bench has no configuration of its own
const given = process.env['DATABASE_URL'];

/**
 * The places at which latencies are measured: a commit waits for the disk, and the longest waits are those that the disk takes
 * for itself. Where Linux keeps files in memory the same is measured without it.
 */
export async function places(): Promise<readonly Place[]> {
  if (given) return ['server of DATABASE_URL'];
  const hasMemory = await access(MEMORY, constants.W_OK).then(
    () => true,
    () => false,
  );
  return hasMemory ? ['disk', 'memory'] : ['disk'];
}

/** Runs something in a migrated database of its own, on the server of DATABASE_URL or on one that is started for it. */
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
    return await run({ DATABASE_URL, PAYGRAPH_MASTER_KEY, LOG_LEVEL: 'error' });
  } finally {
    if (postgres) await postgres.close();
    else await onServer(server, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

/** The server's version and how it was configured, as a sentence. */
export async function describeServer(url: string): Promise<string> {
  const [version] = await query<{ server_version: string }>(url, 'SHOW server_version');
  return `Postgres ${version?.server_version}, ${given ? 'given by DATABASE_URL' : 'with its own defaults'}.`;
}
