import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { heldMb } from '../bench/memory.ts';
import { paygraph, run, type Running, type Settings } from '../support/command.ts';
import { createEmptyDatabase, createTestDatabase, query } from '../support/database.ts';
import { lastingPort } from '../support/lasting-port.ts';
import { until } from '../support/until.ts';

let folder: string;
let occupier: Server | null = null;
const running: Running[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paygraph-start-'));
});
afterEach(async () => {
  occupier?.close();
  for (const each of running.splice(0)) await each.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

function start(settings: Settings = {}): Running {
  const started = paygraph(['start'], {
    PORT: '0',
    PAYGRAPH_DATA_DIR: folder,
    LOG_LEVEL: 'error',
    ...settings,
  });
  running.push(started);
  return started;
}

type Served = { readonly url: string; readonly token: string; ask<Data>(document: string): Promise<Data> };

/** Reads the addresses and the token from the screen. */
async function served(started: Running): Promise<Served> {
  const screen = await started.printed('Ctrl-C stops');
  const url = /GraphQL +(\S+)/.exec(screen)?.[1] ?? '';
  const token = /export TOKEN=(\S+)/.exec(screen)?.[1] ?? '';
  const ask = async <Data>(document: string): Promise<Data> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query: document }) });
    const { data, errors } = (await response.json()) as { data?: Data; errors?: unknown };
    if (!data) throw new Error(JSON.stringify(errors));
    return data;
  };
  return { url, token, ask };
}

const SERVICES = '{ paymentServices { nodes { id displayName acceptedCurrencies } } }';
type Services = { readonly paymentServices: { readonly nodes: readonly { readonly id: string }[] } };

const PAY = `mutation { createTransaction(input: { amount: 1299, currency: "USD", country: "US", paymentMethod: {
  card: { number: "4111 1111 1111 1111", expirationDate: "03/30", securityCode: "100" } } }) {
  transaction { id status } userErrors { message } } }`;
type Payment = {
  readonly createTransaction: { readonly transaction: { readonly id: string; readonly status: string } };
};

const TRANSACTIONS = '{ transactions { nodes { id status } } }';

describe('paygraph start', () => {
  it('serves from an empty folder, keeps everything when it is killed, and ends on a signal', async () => {
    const first = start();
    const before = await served(first);
    const services = await before.ask<Services>(SERVICES);
    expect(services.paymentServices.nodes).toEqual([
      { id: expect.any(String), displayName: 'Sandbox card', acceptedCurrencies: ['USD', 'EUR', 'GBP'] },
    ]);
    const { createTransaction } = await before.ask<Payment>(PAY);
    expect(createTransaction.transaction.status).toBe('AUTHORIZATION_SUCCEEDED');
    expect((await first.end('SIGKILL')).code).toBeNull();
    const postmaster = await postmasterOf(folder);

    const second = start();
    const after = await served(second);
    expect(await postmasterOf(folder)).toBe(postmaster);
    expect(await after.ask(TRANSACTIONS)).toEqual({
      transactions: { nodes: [createTransaction.transaction] },
    });
    expect(await after.ask(SERVICES)).toEqual(services);
    expect(after.token).not.toBe(before.token);

    // Only the waiting message, if the wait is long enough for one.
    const stderr = expect.stringMatching(/^(Finishing running work.*\n)*$/);
    const stdout = expect.stringMatching(/\nStopped\.\n$/);
    expect(await second.end('SIGTERM')).toMatchObject({ code: 0, stderr, stdout });
    await expect(postmasterOf(folder)).rejects.toThrow('ENOENT');
  });

  it('comes up twice at once on one empty database, and provisions it once', async () => {
    const database = await createEmptyDatabase();
    const both = [start({ DATABASE_URL: database.url }), start({ DATABASE_URL: database.url })];

    const [one, two] = await Promise.all(both.map(served));
    const answers = await Promise.all([one?.ask<Services>(SERVICES), two?.ask<Services>(SERVICES)]);
    expect(answers[0]?.paymentServices.nodes).toHaveLength(1);
    expect(answers[1]).toEqual(answers[0]);
    expect(
      await query(
        database.url,
        `SELECT (SELECT count(*)::int FROM merchant_account) AS accounts, (SELECT count(*)::int FROM api_key_pair) AS keys,
           (SELECT count(*)::int FROM payment_service) AS services`,
      ),
    ).toEqual([{ accounts: 1, keys: 1, services: 1 }]);

    for (const each of both) expect((await each.end('SIGINT')).code).toBe(0);
    await database.drop();
  });

  it('holds less than 240 MB half a minute after its start', async () => {
    const database = await createTestDatabase();
    // The first start compiles the program, which takes memory.
    const compiling = start({ DATABASE_URL: database.url });
    await compiling.printed('Ctrl-C stops');
    await compiling.end('SIGTERM');

    const resting = start({ DATABASE_URL: database.url });
    await resting.printed('Ctrl-C stops');
    await delay(30_000);

    const held = await heldMb(resting.child.pid ?? 0);
    expect(process.platform === 'linux' ? held : 0).toBeLessThan(240);
    await resting.end('SIGTERM');
    await database.drop();
  });

  it('prints plain text without a terminal', async () => {
    const database = await createTestDatabase();
    const screen = await start({ DATABASE_URL: database.url, CI: 'true' }).printed('Ctrl-C stops');
    const shown = screen.replace(/TOKEN=\S+/, 'TOKEN=…').replace(/127\.0\.0\.1:\d+/g, 'HERE');
    expect(shown).toBe(`
Paygraph 0.1.0 sandbox is ready.

  GraphQL    http://HERE/graphql
  Websocket  ws://HERE/graphql
  Dashboard  http://HERE/dashboard   in a browser, signed in
  GraphiQL   http://HERE/            in a browser, with the token filled in

Set a token, valid for 24 hours, and list the payment services:

  export TOKEN=…

  curl -s http://HERE/graphql \\
    -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
    -d '{"query":"{ paymentServices { nodes { id displayName acceptedCurrencies } } }"}'

Or follow a payment from end to end, in another terminal:

  npm run demo

Ctrl-C stops the service.

`);
    await Promise.all(running.splice(0).map((each) => each.end('SIGTERM')));
    await database.drop();
  });

  it('ends with a word when Ctrl-C comes while it makes its database, and starts the next time', async () => {
    const first = start();
    const program = await initdbOf(first);
    // The terminal sends Ctrl-C to a group, so initdb must be in another one.
    expect(await groupOf(program)).not.toBe(await groupOf(first.child.pid));
    first.child.kill('SIGINT');

    expect(await first.ended).toEqual(INTERRUPTED);
    await expect(postmasterOf(folder)).rejects.toThrow('ENOENT');
    const next = start();
    await served(next);
    expect(await next.end('SIGINT')).toMatchObject({ code: 0 });
  });

  it('leaves no program of another interrupted command running', async () => {
    const command = paygraph(['migrate'], { PAYGRAPH_DATA_DIR: folder });
    running.push(command);
    const program = await initdbOf(command);
    command.child.kill('SIGINT');

    expect(await command.ended).toEqual(INTERRUPTED);
    await until(() => !existsSync(`/proc/${program}`), 'the end of initdb');
    // The last database that initdb makes.
    expect(existsSync(join(folder, 'postgres.new/base/5'))).toBe(false);
    const next = start();
    await served(next);
    expect(await next.end('SIGINT')).toMatchObject({ code: 0 });
  });

  it('finishes running requests at the first signal, and ends at once at the second', async () => {
    const database = await createTestDatabase();
    const started = start({ DATABASE_URL: database.url, PAYGRAPH_FAILPOINTS: 'authorize.claimed=hang' });
    const { url, ...service } = await served(started);
    const payment = service.ask(PAY).catch(() => 'no answer');
    while ((await query(database.url, 'SELECT FROM operation')).length === 0) await delay(20);

    started.child.kill('SIGTERM');
    const isGone = () =>
      fetch(url.replace('/graphql', '/ready')).then(
        () => false,
        () => true,
      );
    await until(isGone, 'the end of the listening');
    // Two signals within half a second count as one.
    await delay(1_000);
    expect(started.child.exitCode).toBeNull();
    expect((await started.end('SIGTERM')).code).toBe(1);
    expect(await payment).toBe('no answer');
    await database.drop();
  });

  it('ends with npm when it was started by it', async () => {
    const database = await createTestDatabase();
    const settings = { PORT: '0', PAYGRAPH_DATA_DIR: folder, DATABASE_URL: database.url };
    const npm = run('npm', ['start'], settings);
    running.push(npm);
    const { url } = await served(npm);
    expect((await npm.end('SIGTERM')).code).toBe(0);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    await database.drop();
  });
});

describe('paygraph start refuses, in a sentence,', () => {
  const refusal = async (settings: Settings, expected = 1): Promise<string> => {
    const { code, stdout, stderr } = await start(settings).ended;
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    return stderr;
  };

  it('a used port, and leaves no database running', async () => {
    const port = await occupiedPort();
    // A busy machine prints progress before.
    expect((await refusal({ PORT: String(port) })).split('\n').at(-2)).toBe(
      `Another program listens on port ${port} of 127.0.0.1. Stop that program, or set PORT to another port (0 picks a free port).`,
    );
    await expect(postmasterOf(folder)).rejects.toThrow('ENOENT');
  });

  it('an address of another machine', async () => {
    const database = await createTestDatabase();
    expect(await refusal({ HOST: '192.0.2.1', DATABASE_URL: database.url })).toBe(
      '192.0.2.1 is not an address of this machine. Set HOST to an address of this machine, for example 127.0.0.1.\n',
    );
    await database.drop();
  });

  it('a database that cannot be reached, without its password', async () => {
    const port = await lastingPort();
    expect(await refusal({ DATABASE_URL: `postgresql://me:secret@127.0.0.1:${port}/shop` })).toBe(
      `The database shop at 127.0.0.1:${port} cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}. ` +
        'Start it, or correct DATABASE_URL.\n',
    );
  });

  it('a database without the user', async () => {
    const database = await createTestDatabase();
    const address = new URL(database.url);
    address.password = 'wrong';
    expect(await refusal({ DATABASE_URL: address.href })).toBe(
      `The database ${address.pathname.slice(1)} at ${address.host} cannot be reached: ` +
        'password authentication failed for user "paygraph". Start it, or correct DATABASE_URL.\n',
    );
    await database.drop();
  });

  it('a database that is newer than the code', async () => {
    const database = await createTestDatabase();
    await query(
      database.url,
      `UPDATE _prisma_migrations SET migration_name = '20991231000000_later'
      WHERE migration_name LIKE '%_constraints'`,
    );
    expect(await refusal({ DATABASE_URL: database.url })).toBe(
      'The database is newer than this Paygraph: it has the migration 20991231000000_later. ' +
        'Start the version that made it, or a later one.\n',
    );
    await database.drop();
  });

  it('a data folder that is a file, or lies below one', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    for (const path of [file, join(file, 'data')])
      expect(await refusal({ PAYGRAPH_DATA_DIR: path })).toBe(
        `The data folder ${path} is a file, or lies below one. Set PAYGRAPH_DATA_DIR to a folder.\n`,
      );
  });

  it('a file of settings that it cannot read', async () => {
    await mkdir(join(folder, '.env'));

    const ended = await paygraph(['start'], {}, folder).ended;

    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(
      '.env: cannot be read. Make the user of this process the owner of the file.',
    );
  });

  it('a configuration with mistakes, all of them together', async () => {
    expect(
      await refusal(
        { NODE_ENV: 'production', PORT: '70000', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://x' },
        2,
      ),
    ).toBe(
      `The configuration is wrong:
  PORT: must be a whole number from 0 to 65535
  DATABASE_URL: must be an address such as postgresql://user:password@host:5432/database, with a comma between several hosts
  LOG_LEVEL: must be one of silent, error, warn, info, debug
  PAYGRAPH_MASTER_KEY: required in production
  PAYGRAPH_PUBLIC_URL: required in production
See .env.example for the meaning of each setting.
`,
    );
  });
});

describe('paygraph', () => {
  it('lists its commands, and rejects an unknown word', async () => {
    const { code, stdout } = await paygraph(['--help']).ended;
    expect(code).toBe(0);
    expect([...stdout.matchAll(/^ {2}([a-z:]+)(?: [[<]|  )/gm)].map(([, name]) => name)).toEqual([
      'start',
      'setup',
      'migrate',
      'migrate:new',
      'token',
      'invite',
      'audit',
      'restored',
      'cells',
      'move',
      'listen',
      'tail',
      'trigger',
      'query',
      'doctor',
      'demo',
      'connector',
      'completion',
      'routing',
      'help',
    ]);
    expect(await paygraph(['frobnicate']).ended).toEqual({
      code: 2,
      stdout: '',
      stderr: "Unknown command 'frobnicate'. Add --help to see what is possible.\n",
    });
  });
});

const postmasterOf = async (home: string): Promise<number> =>
  Number((await readFile(join(home, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);

/** The end of a program that Ctrl-C interrupts before its work is done. */
const INTERRUPTED = {
  ...{ code: 130, stdout: '' },
  stderr: expect.stringMatching(/(^|\n)\nStopped before the end\.\n$/),
};

/** Waits until initdb works, and returns its process. */
async function initdbOf({ child }: Running): Promise<number> {
  const isAtWork = () => existsSync(join(folder, 'postgres.new/base')) || child.exitCode !== null;
  await until(isAtWork, 'the work of initdb');
  const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  return Number(children.trim().split(' ')[0]);
}

/** Returns the process group of a process. */
const groupOf = async (pid: number | undefined): Promise<string | undefined> =>
  (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/.*\) /, '').split(' ')[2];

async function occupiedPort(): Promise<number> {
  occupier = createServer();
  await new Promise<void>((resolve) => occupier?.listen(0, '127.0.0.1', resolve));
  return (occupier.address() as AddressInfo).port;
}
