import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { withEngine } from '../../src/platform/migrate/engine.ts';
import { migrationList } from '../../src/platform/migrate/files.ts';
import { migrate } from '../../src/platform/migrate/migrate.ts';
import { createEmptyDatabase, query, type TestDatabase } from '../support/database.ts';
import pg from 'pg';

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await createEmptyDatabase();
  folder = await mkdtemp(join(tmpdir(), 'paygraph-migrations-'));
});
afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function write(name: string, script: string): Promise<void> {
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, 'migration.sql'), script);
}

const run = (): Promise<readonly string[] | string> =>
  migrate(database.url, { folder }).catch((error: unknown) => (error as Error).message);

/** Lists tables and indexes of the schema, except those of the history. */
async function relations(): Promise<readonly string[]> {
  const rows = await query<{ relname: string }>(
    database.url,
    `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
       AND relname NOT LIKE '\\_prisma%' ORDER BY 1`,
  );
  return rows.map(({ relname }) => relname);
}

const recorded = () =>
  query<{ name: string; finished: boolean; logs: string | null }>(
    database.url,
    `SELECT migration_name AS name, finished_at IS NOT NULL AS finished, logs
     FROM _prisma_migrations ORDER BY started_at`,
  );

const finished = (name: string) => ({ name, finished: true, logs: null });

describe('beside the tool of Prisma', () => {
  const byPrisma = async (url: string): Promise<readonly string[]> => {
    const migrationsList = await migrationList(folder);
    const filters = { externalTables: [], externalEnums: [] };
    const { appliedMigrationNames } = await withEngine(url, (engine) =>
      engine.applyMigrations({ migrationsList, filters }),
    );
    return appliedMigrationNames;
  };

  it('takes turns on one database', async () => {
    await write('1_first', 'CREATE TABLE one ();');
    expect(await byPrisma(database.url)).toEqual(['1_first']);
    await write('2_second', 'CREATE TABLE two ();');
    expect(await run()).toEqual(['2_second']);
    await write('3_third', 'CREATE TABLE three ();');
    expect(await byPrisma(database.url)).toEqual(['3_third']);
    expect(await run()).toEqual([]);
    expect(await relations()).toEqual(['one', 'three', 'two']);
  });

  it('makes the same table of migrations', async () => {
    const other = await createEmptyDatabase();
    const columns = (url: string) =>
      query(
        url,
        `SELECT column_name, ordinal_position, column_default, is_nullable, data_type, character_maximum_length, indexdef
         FROM information_schema.columns JOIN pg_indexes ON tablename = table_name
         WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`,
      );
    await write('1_first', 'CREATE TABLE one ();');
    await byPrisma(other.url);
    await run();
    const ours = await columns(database.url);
    expect(ours).toHaveLength(8);
    expect(ours).toEqual(await columns(other.url));
    await other.drop();
  });
});

describe('a migration that is killed', () => {
  /** The lock that a script waits for until its process is dead. */
  const LOCK = 20_261_123;
  const WAIT = `SELECT pg_advisory_lock(${LOCK})`;

  /** Kills a process with `kill -9` when it runs the script, and waits until Postgres knows. */
  async function killAt(statement: string): Promise<void> {
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query(`SELECT pg_advisory_lock(${LOCK})`);
    const file = join(import.meta.dirname, '../../src/platform/migrate/migrate.ts');
    const code = `import(${JSON.stringify(file)}).then(({ migrate }) =>
      migrate(${JSON.stringify(database.url)}, { folder: ${JSON.stringify(folder)} }))`;
    const child = spawn(process.execPath, ['--eval', code], { stdio: 'ignore' });
    const running = () =>
      query(
        database.url,
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
           AND state = 'active' AND wait_event_type = 'Lock' AND query LIKE $1`,
        [`%${statement}%`],
      );
    while ((await running()).length === 0) await delay(20);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await holder.end();
  }

  it('leaves nothing, and the next start continues', async () => {
    await write('1_first', 'CREATE TABLE one ();');
    await write('2_slow', `CREATE TABLE two (); ${WAIT}; CREATE TABLE three ();`);
    await killAt(WAIT);
    await write('2_slow', 'CREATE TABLE two ();');

    expect(await run()).toEqual(['2_slow']);

    expect(await relations()).toEqual(['one', 'two']);
    expect(await recorded()).toEqual([finished('1_first'), finished('2_slow')]);
  });

  it('is refused when its script commits by itself', async () => {
    await write('1_parts', `CREATE TABLE one (); COMMIT; ${WAIT}; CREATE TABLE two ();`);
    await killAt(WAIT);

    expect(await run()).toMatch('The migration 1_parts failed on this database earlier.');
  });

  it('reports the lost connection, and continues when the database is back', async () => {
    await write('1_slow', 'CREATE TABLE one (); SELECT pg_sleep(60);');
    const failure = run();
    const end = () =>
      query(
        database.url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%pg_sleep(60)%'`,
      );
    while ((await end()).length === 0) await delay(20);
    expect(await failure).toMatch(/^The database could not be brought up to date: /);
    await write('1_slow', 'CREATE TABLE one ();');

    expect(await run()).toEqual(['1_slow']);
    expect(await recorded()).toEqual([finished('1_slow')]);
  });
});

describe('a script that Postgres refuses in a transaction', () => {
  it('is applied outside of a transaction', async () => {
    await write('1_first', 'CREATE TABLE one (id int);');
    await write('2_index', 'CREATE INDEX CONCURRENTLY one_idx ON one (id);');
    expect(await run()).toEqual(['1_first', '2_index']);
    expect(await relations()).toEqual(['one', 'one_idx']);
    expect(await recorded()).toEqual([finished('1_first'), finished('2_index')]);
  });

  it('is recorded once when it fails', async () => {
    await write('1_both', 'CREATE TABLE one (id int); CREATE INDEX CONCURRENTLY one_idx ON one (id);');
    expect(await run()).toBe(
      'The migration 1_both failed: CREATE INDEX CONCURRENTLY cannot run inside a transaction block',
    );
    expect(await relations()).toEqual([]);
    expect(await recorded()).toEqual([
      { name: '1_both', finished: false, logs: expect.stringMatching('cannot run inside') },
    ]);
  });
});
