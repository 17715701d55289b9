import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readModels } from '../../src/platform/migrate/files.ts';
import { markRolledBack, migrate } from '../../src/platform/migrate/migrate.ts';
import { difference, writeMigration } from '../../src/platform/migrate/write-migration.ts';
import pg from 'pg';
import { diagnose } from './diagnose.ts';
import { HAND_WRITTEN } from './hand-written.ts';
import { createEmptyDatabase, createTestDatabase, query, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

const NOTHING = '-- This is an empty migration.';

describe('the migrated database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const fromDatabaseToModels = async (): Promise<string> => {
    const files = [...(await readModels())];
    const script = await difference(
      database.url,
      { tag: 'schemaDatasource', files, configDir: '.' },
      { tag: 'schemaDatamodel', files },
    );
    return script.trim();
  };

  it('equals the models', async () => {
    expect(await fromDatabaseToModels()).toBe(NOTHING);
    await query(database.url, 'ALTER TABLE event ADD COLUMN surplus text');
    expect(await fromDatabaseToModels()).toMatch('DROP COLUMN "surplus"');
    await query(database.url, 'ALTER TABLE event DROP COLUMN surplus');
  });

  it('has exactly these additional objects, written by hand', async () => {
    expect(await handWritten(database.url)).toEqual(HAND_WRITTEN);
  });
});

describe('migrate', () => {
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

  const write = async (name: string, script: string): Promise<void> => {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'migration.sql'), script);
  };
  const names = async (): Promise<readonly string[]> => {
    const rows = await query<{ relname: string }>(
      database.url,
      `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
         AND relname <> '_prisma_migrations' ORDER BY 1`,
    );
    return rows.map(({ relname }) => relname);
  };
  const refusal = (): Promise<string> =>
    migrate(database.url, { folder }).then(
      () => 'not refused',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );

  it('applies the missing migrations, in order, once', async () => {
    await write('20260102000000_second', 'ALTER TABLE one ADD COLUMN two int;');
    await write('20260101000000_first', 'CREATE TABLE one ();');
    expect(await migrate(database.url, { folder })).toEqual([
      '20260101000000_first',
      '20260102000000_second',
    ]);
    expect(await migrate(database.url, { folder })).toEqual([]);
    await write('20260103000000_third', 'CREATE TABLE three ();');
    expect(await migrate(database.url, { folder })).toEqual(['20260103000000_third']);
    expect(await names()).toEqual(['one', 'three']);
  });

  it('keeps nothing of a failed migration, reports the failure afterwards, and continues when it is marked as rolled back', async () => {
    const name = '20260101000000_broken';
    await write(name, 'CREATE TABLE half (); CREATE TABLE half ();');
    expect(await refusal()).toBe(`The migration ${name} failed: relation "half" already exists`);
    expect(await names()).toEqual([]);
    expect(await refusal()).toBe(
      `The migration ${name} failed on this database earlier. Mend the cause, then run "npm run migrate -- --rolled-back ${name}".`,
    );
    expect((await diagnose(database.url, folder)).failedMigrationNames).toEqual([name]);

    await write(name, 'CREATE TABLE whole ();');
    await markRolledBack(database.url, name);
    expect(await migrate(database.url, { folder })).toEqual([name]);
    expect(await names()).toEqual(['whole']);
  });

  it('refuses a migration that was changed after it was applied', async () => {
    await write('20260101000000_first', 'CREATE TABLE one ();');
    await migrate(database.url, { folder });
    await write('20260101000000_first', 'CREATE TABLE one (id int);');
    await write('20260102000000_second', 'CREATE TABLE two ();');
    expect(await refusal()).toBe(
      'The migration 20260101000000_first was changed after it was applied to this database. ' +
        'Restore its file, and make the change in a migration of its own.',
    );
    expect(await names()).toEqual(['one']);
  });

  it('refuses a database that is newer than the code', async () => {
    await write('20260101000000_first', 'CREATE TABLE one ();');
    await write('20260102000000_later', 'CREATE TABLE later ();');
    await migrate(database.url, { folder });
    await rm(join(folder, '20260102000000_later'), { recursive: true });
    expect(await refusal()).toBe(
      'The database is newer than this Paygraph: it has the migration 20260102000000_later. ' +
        'Start the version that made it, or a later one.',
    );
  });

  describe('of a later version', () => {
    const FACTS =
      'CREATE TABLE installation_fact (name text PRIMARY KEY, value text NOT NULL, created_at timestamptz NOT NULL);';
    const NAMES = { a: '20260101000000_a', b: '20260102000000_b', c: '20260103000000_c' } as const;

    /** The folder of a version, by its migrations. */
    const holds = async (...names: readonly (keyof typeof NAMES)[]): Promise<void> => {
      for (const each of Object.values(NAMES)) await rm(join(folder, each), { recursive: true, force: true });
      for (const each of names)
        await write(NAMES[each], each === 'a' ? FACTS : `CREATE TABLE table_${each} ();`);
    };
    const start = (version: string, oldest: string): Promise<unknown> =>
      migrate(database.url, { folder, release: { version, oldest } }).catch((error: unknown) =>
        String(error),
      );

    const NEWER = expect.stringContaining('The database is newer than this Paygraph');

    beforeEach(async () => {
      await holds('a');
      await start('1.0.0', '1.0.0');
      await holds('a', 'b');
      await start('2.0.0', '1.0.0');
      await holds('a', 'b', 'c');
      await start('3.0.0', '2.0.0');
    });

    it('lets the former release start, and refuses the one before', async () => {
      await holds('a', 'b');
      expect(await start('2.0.0', '1.0.0')).toEqual([]);
      await holds('a');
      expect(await start('1.0.0', '1.0.0')).toEqual(NEWER);
    });

    it('refuses a former release that has a migration of its own', async () => {
      await holds('a', 'b');
      await write('20260104000000_patch', 'CREATE TABLE patched ();');
      expect(await start('2.0.1', '1.0.0')).toEqual(NEWER);
    });

    it('counts a release without migrations as a release', async () => {
      await start('4.0.0', '3.0.0');
      await holds('a', 'b');
      expect(await start('2.0.0', '1.0.0')).toEqual(NEWER);
      // The way back from 4.0.0 must not let 2.0.0 in again.
      await holds('a', 'b', 'c');
      expect(await start('3.0.0', '2.0.0')).toEqual([]);
      await holds('a', 'b');
      expect(await start('2.0.0', '1.0.0')).toEqual(NEWER);
    });

    it.each([
      ['is under way', 'NULL'],
      ['has failed', `'It divided by zero.'`],
    ])('lets the former release start while a later migration %s', async (_, logs) => {
      await query(
        database.url,
        `UPDATE _prisma_migrations SET finished_at = NULL, logs = ${logs} WHERE migration_name = '${NAMES.c}'`,
      );
      await holds('a', 'b');
      expect(await start('2.0.0', '1.0.0')).toEqual([]);
      await holds('a', 'b', 'c');
      expect(await start('3.0.0', '2.0.0')).toEqual(
        expect.stringContaining(`The migration ${NAMES.c} failed on this database earlier.`),
      );
    });

    it('refuses the former release after migrations that no start has applied', async () => {
      await query(
        database.url,
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
         VALUES ('elsewhere', '', '20260105000000_elsewhere', now())`,
      );
      await holds('a', 'b');
      expect(await start('2.0.0', '1.0.0')).toEqual(NEWER);
    });
  });

  it('refuses a database with tables from elsewhere', async () => {
    await query(database.url, 'CREATE TABLE theirs ()');
    expect(await refusal()).toBe('not refused');
    await write('20260101000000_first', 'CREATE TABLE one ();');
    expect(await refusal()).toMatch(/^The database could not be brought up to date: .*not empty/);
    expect(await names()).toEqual(['theirs']);
  });

  describe('that needs a lock', () => {
    let holder: pg.Client;
    beforeEach(async () => {
      await write('20260101000000_first', 'CREATE TABLE one (id int);');
      await migrate(database.url, { folder });
      holder = new pg.Client({ connectionString: database.url });
      await holder.connect();
      // A backup holds such a lock for hours.
      await holder.query('BEGIN; SELECT FROM one');
    });
    afterEach(() => holder.end());

    it('tries again until it gets the lock, and lets others pass meanwhile', async () => {
      await write('20260102000000_second', 'CREATE TABLE two (); ALTER TABLE one ADD COLUMN two int;');
      const migrating = migrate(database.url, { folder });
      for (let passed = 0; passed < 2; passed += 1) {
        await until(() => someoneWaits(database.url), 'the wait for the lock');
        await query(database.url, `SET statement_timeout = '10s'; SELECT FROM one`);
      }
      expect(await names()).toEqual(['one']);
      await holder.query('ROLLBACK');

      expect(await migrating).toEqual(['20260102000000_second']);
      expect(await query(database.url, 'SELECT id, two FROM one')).toEqual([]);
      expect(await names()).toEqual(['one', 'two']);
    });

    it('fails if it has committed a part by itself', async () => {
      const name = '20260102000000_half';
      await write(
        name,
        'CREATE TABLE half (); COMMIT; SET lock_timeout = 1; ALTER TABLE one ADD COLUMN two int;',
      );

      expect(await refusal()).toBe(`The migration ${name} failed: canceling statement due to lock timeout`);
      expect(await names()).toEqual(['half', 'one']);
    });
  });

  it('marks only failed migrations as rolled back', async () => {
    await write('20260101000000_first', 'CREATE TABLE one ();');
    await migrate(database.url, { folder });
    await expect(markRolledBack(database.url, '20260101000000_first')).rejects.toThrow(
      /^The migration 20260101000000_first cannot be marked as rolled back: /,
    );
    await expect(markRolledBack(database.url, '20260102000000_unheard_of')).rejects.toThrow(
      /^The migration 20260102000000_unheard_of cannot be marked as rolled back: /,
    );
  });
});

describe('writeMigration', () => {
  let database: TestDatabase;
  let folder: string;
  const now = new Date('2026-03-04T05:06:07.890Z');
  beforeEach(async () => {
    database = await createEmptyDatabase();
    folder = await mkdtemp(join(tmpdir(), 'paygraph-migrations-'));
  });
  afterEach(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  it.each(['', 'Add cards', '../up', 'a-b', '1st'])('refuses the name "%s"', async (name) => {
    await expect(writeMigration(database.url, { name, now, folder })).rejects.toThrow(
      'Name the migration in lower-case words joined by underscores, for example add_gift_cards.',
    );
  });
});

/** Tells whether a statement on this database waits for a lock. */
const someoneWaits = async (url: string): Promise<boolean> =>
  (
    await query(
      url,
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
  ).length > 0;

/** Lists every object in the schema that Prisma's models cannot express. */
async function handWritten(url: string): Promise<readonly string[]> {
  const rows = await query<{ line: string }>(
    url,
    `SELECT 'check ' || conrelid::regclass || '.' || conname AS line FROM pg_constraint
       WHERE contype = 'c' AND connamespace = 'public'::regnamespace
     UNION ALL SELECT 'deferrable ' || conrelid::regclass || '.' || conname FROM pg_constraint
       WHERE condeferrable AND connamespace = 'public'::regnamespace
     UNION ALL SELECT 'trigger ' || tgrelid::regclass || '.' || tgname FROM pg_trigger WHERE NOT tgisinternal
     UNION ALL SELECT 'function ' || oid::regprocedure FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     UNION ALL SELECT 'partial index ' || indexrelid::regclass || ' WHERE ' || pg_get_expr(indpred, indrelid)
       FROM pg_index WHERE indpred IS NOT NULL
     UNION ALL SELECT 'settings ' || oid::regclass || ' ' || array_to_string(reloptions, ' ') FROM pg_class
       WHERE reloptions IS NOT NULL AND relnamespace = 'public'::regnamespace
     UNION ALL SELECT 'collation ' || attrelid::regclass || '.' || attname || ' ' || collname FROM pg_attribute a
       JOIN pg_class c ON c.oid = attrelid JOIN pg_collation l ON l.oid = attcollation
       WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND collname <> 'default' AND attnum > 0
     UNION ALL SELECT 'view ' || oid::regclass FROM pg_class
       WHERE relkind IN ('v', 'm') AND relnamespace = 'public'::regnamespace
     ORDER BY 1`,
  );
  return rows.map(({ line }) => line);
}
