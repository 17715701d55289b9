import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { run, type Running } from '../support/command.ts';
import { createEmptyDatabase, query, type TestDatabase } from '../support/database.ts';
import { lastingPort } from '../support/lasting-port.ts';

// The commands of the README, from an empty folder and an empty database to a captured payment in production.

const DATABASE_URL = 'postgresql://paygraph:secret@127.0.0.1:5432/paygraph';
const ADDRESS = 'http://127.0.0.1:4000';

/** The installed project. The test needs no second download of it. */
const INSTALLED = ['package.json', 'node_modules', 'src', 'schema', 'prisma', '.env.example'];

let folder: string;
let database: TestDatabase;
let port: number;
let service: Running | null = null;

beforeAll(async () => {
  [database, folder, port] = [
    await createEmptyDatabase(),
    await mkdtemp(join(tmpdir(), 'paygraph-live-')),
    await lastingPort(),
  ];
  for (const name of INSTALLED) await symlink(resolve(name), join(folder, name));
});
afterAll(async () => {
  await service?.end('SIGTERM');
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** The blocks of commands in the README below this heading. Only the addresses are those of the test. */
function commandsBelow(heading: string): readonly string[] {
  const [, below = ''] = readFileSync('README.md', 'utf8').split(`\n## ${heading}\n`);
  const [section = ''] = below.split('\n## ');
  return [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, commands = '']) =>
    commands.replaceAll(DATABASE_URL, database.url).replaceAll(ADDRESS, `http://127.0.0.1:${port}`),
  );
}

const inShell = (commands: string): Running =>
  run('bash', ['-ec', commands], { PORT: String(port), LOG_LEVEL: 'error' }, folder);

it('leads from an empty folder to a captured payment, by the commands of the README', async () => {
  const [install = '', pay = ''] = commandsBelow('Go live');
  expect(install).toMatch(/^npm ci\nnpm run setup .*\necho .*\nnpm start\n$/);

  const { code, stdout, stderr } = await inShell(install.replace('npm ci\n', '').replace('npm start\n', ''))
    .ended;
  expect({
    code,
    stderr: stderr.replaceAll(/^(npm warn|Bringing the database up to date).*\n/gm, ''),
  }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('Paygraph is set up for production.');
  expect(existsSync(join(folder, 'paygraph-api-key.json'))).toBe(true);

  service = inShell('exec npm start');
  await service.printed(`http://127.0.0.1:${port}/graphql`);
  expect(service.stdout()).not.toContain('No API key exists yet');
  const paid = await inShell(pay).ended;

  expect(paid.stdout).toMatch(
    /"createPaymentService":\{"paymentService":\{"id":"[^"]+"\},"userErrors":\[\]\}.*"status":"CAPTURE_SUCCEEDED","capturedAmount":1299\},"userErrors":\[\]/s,
  );
  expect(await query(database.url, 'SELECT kind, amount FROM ledger_entry ORDER BY kind')).toEqual([
    { kind: 'authorize', amount: 1299 },
    { kind: 'capture', amount: 1299 },
  ]);
}, 120_000);
