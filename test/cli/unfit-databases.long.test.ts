import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { paygraph, type Ended, type Settings } from '../support/command.ts';
import { createEmptyDatabase, query, type TestDatabase } from '../support/database.ts';
import { masterKeyText } from '../support/master-key.ts';

// Commands at databases that are away, of the next version, or of an earlier one.

let folder: string;
let database: TestDatabase;
let settings: Settings;

const command = (...words: readonly string[]): Promise<Ended> => paygraph(words, settings, folder).ended;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paygraph-versions-'));
  database = await createEmptyDatabase();
  settings = {
    ...{ NODE_ENV: 'production', DATABASE_URL: database.url, PAYGRAPH_MASTER_KEY: masterKeyText(7) },
    PAYGRAPH_PUBLIC_URL: 'https://pay.example.com',
  };
  expect(await command('setup', '--yes')).toMatchObject({ code: 0 });
}, 60_000);
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Records a migration of a version that lets this one go on. */
async function upgrade(): Promise<void> {
  const lastMigration = '20991231000000_next';
  await query(
    database.url,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('next', '', $1, now())`,
    [lastMigration],
  );
  await query(database.url, `UPDATE installation_fact SET value = $1 WHERE name = 'newest_release'`, [
    JSON.stringify({ version: '99.0.0', oldest: '0.1.0', lastMigration }),
  ]);
}

it.each([
  ['127.0.0.1:1', 'connect ECONNREFUSED 127.0.0.1:1'],
  ['127.0.0.1:1,127.0.0.1:2', 'connect ECONNREFUSED 127.0.0.1:1, connect ECONNREFUSED 127.0.0.1:2'],
])('names a database at %s that cannot be reached', async (hosts, reason) => {
  const away = { ...settings, DATABASE_URL: `postgresql://paygraph@${hosts}/paygraph` };

  const ended = await paygraph(['restored'], away, folder).ended;

  expect(ended).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(`cannot be reached: ${reason}.`),
  });
});

describe('after the upgrade to the next version', () => {
  beforeAll(upgrade);

  it.each([
    ['token', /^[\w-]+\.[\w-]+\.[\w-]+\n$/],
    ['invite --email ada@example.com', /^https:\/\/pay\.example\.com\//],
  ])('%s goes on', async (words, printed) => {
    expect(await command(...words.split(' '))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(printed),
      stderr: '',
    });
  });

  it.each(['restored', 'rotate-keys --dry-run'])('%s asks for the newer version', async (words) => {
    expect(await command(...words.split(' '))).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The database is newer than this Paygraph. Run the command of the newer version.\n',
    });
  });
});

it.each(['token', 'invite --email bob@example.com', 'restored', 'rotate-keys --dry-run'])(
  '%s asks for the migrations that are missing',
  async (words) => {
    await query(
      database.url,
      `UPDATE _prisma_migrations SET rolled_back_at = now()
       WHERE id = 'next' OR migration_name = (SELECT max(migration_name) FROM _prisma_migrations WHERE id <> 'next')`,
    );

    expect(await command(...words.split(' '))).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The database is older than this Paygraph. Run "npm run migrate" first.\n',
    });
  },
);
