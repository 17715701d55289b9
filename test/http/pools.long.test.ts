import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { workFor } from '../../src/platform/fairness/owner.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { readsWaitedMs } from '../../src/graph/reading.ts';
import { probePayments } from '../../src/platform/database/payment-probe.ts';
import { createCuttableDatabase } from '../support/cut-database.ts';
import { onServer } from '../support/database.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createSteppedClock } from '../support/stepped-clock.ts';
import { until } from '../support/until.ts';

const READ = '{ transactions(first: 1) { nodes { id } } }';
const WRITE =
  'mutation { createBuyer(input: { displayName: "Ann" }) { buyer { id displayName } userErrors { code } } }';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    // The key of the token is read and marked once, and not while a test holds every connection for money.
    clock: createSteppedClock(),
    settings: { PAYGRAPH_READ_TIMEOUT_MS: '2000', DATABASE_READ_POOL: '2', PAYGRAPH_LATE_WORK_MS: '500' },
  });
});
afterAll(() => server.stop());

/** Takes every connection of a pool. Returns the function that gives them back. */
async function takeAll(connect: () => Promise<pg.PoolClient>, count: number): Promise<() => void> {
  const taken = await Promise.all(Array.from({ length: count }, connect));
  return () => taken.forEach((client) => client.release());
}

describe('connections for money', () => {
  it('serve mutations while reads hold every connection for reads', async () => {
    const giveBack = await takeAll(() => server.app.readDb.connect(), 2);
    const { body } = await server.graphql(WRITE);
    giveBack();

    expect(body).toMatchObject({ data: { createBuyer: { buyer: { displayName: 'Ann' }, userErrors: [] } } });
  });

  it('stay free for money while queries and subscriptions read', async () => {
    await server.graphql(READ);
    const giveBack = await takeAll(() => server.app.db.connect(), 8);
    const read = await server.graphql(READ);
    const client = server.socket();
    for await (const { errors } of client.iterate({ query: READ })) expect(errors).toBeUndefined();
    await client.dispose();
    giveBack();

    expect([read.status, read.body.errors]).toEqual([200, undefined]);
  });
});

/**
 * Counts the most statements that ran at one time. Each takes at least some milliseconds, so statements overlap. Statements
 * that must meet others wait for them.
 */
function createGauge(meeting = 1) {
  let [running, most] = [0, 0];
  return {
    most: () => most,
    count: async <Value>(run: () => Promise<Value>): Promise<Value> => {
      most = Math.max(most, (running += 1));
      await delay(20);
      for (let waits = 0; most < meeting && waits < 200; waits += 1) await delay(20);
      return run().finally(() => (running -= 1));
    },
  };
}

describe('the share of one merchant account', () => {
  const SEARCHES = `{ ${Array.from({ length: 10 }, (_, index) => `s${index}: transactions(filter: { search: "w${index}" }) { nodes { id } }`).join(' ')} }`;
  const LOOK_UPS = `{ transaction(id: "${randomUUID()}") { id } }`;

  it('leaves connections for reads to other accounts, however much the account searches', async () => {
    const wide = await startTestServer({ settings: { DATABASE_READ_POOL: '8' } });
    const { readDb } = wide.app;
    const run = readDb.query.bind(readDb);
    const [lists, lookUps] = [createGauge(), createGauge(2)];
    const query: typeof run = (statement) =>
      (statement.name === null ? lists : lookUps).count(() => run<never>(statement));
    Object.assign(readDb, { query });
    const answers = await Promise.all(Array.from({ length: 4 }, () => wide.graphql(SEARCHES)));
    const [found] = await Promise.all(Array.from({ length: 4 }, () => wide.graphql(LOOK_UPS)));
    await wide.stop();

    expect(answers.map(({ body }) => body.errors)).toEqual(answers.map(() => undefined));
    expect(found?.body.errors).toBeUndefined();
    expect([lists.most(), lookUps.most()]).toEqual([1, 2]);
  });
});

describe('connections for reads', () => {
  it('are not waited for by further reads of an account that waits two seconds', async () => {
    const { readDb } = server.app;
    const connect = () => workFor(server.merchantAccountId, () => readDb.connect());
    const [first, second] = await Promise.all([connect(), connect()]);
    const next = connect();
    const waiting = server.graphql(READ);
    await until(() => readDb.waits() === 2, 'two waiting reads');
    // While no turn ends, the database may hang, and no account is to blame.
    first.release();
    const third = await next;
    await until(() => readsWaitedMs(server.app, server.merchantAccountId) > 2_000, 'a late read');
    const [refused, written] = [await server.graphql(READ), await server.graphql(WRITE)];
    [second, third].forEach((connection) => connection.release());

    expect(refused.status).toBe(429);
    expect(refused.body.errors?.[0]?.extensions).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 1,
    });
    expect(written.status).toBe(200);
    expect((await waiting).body.errors).toBeUndefined();
    expect((await server.graphql(READ)).status).toBe(200);
  });

  it('refuse a write', async () => {
    const write = server.app.readDb.prisma.buyer.deleteMany();

    await expect(write).rejects.toThrow(/read-only transaction/);
  });

  it('end a statement at its time, with an error that says what to do', async () => {
    const holder = await server.app.db.connect();
    await holder.query('BEGIN; LOCK TABLE transaction IN ACCESS EXCLUSIVE MODE');
    const { status, body } = await server.graphql(READ);
    await holder.query('ROLLBACK');
    holder.release();

    expect(status).toBe(200);
    expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(['QUERY_TIMED_OUT']);
    expect(body.errors?.[0]?.message).toMatch(/Narrow the read/);
  });
});

describe('readiness for payments', () => {
  const ready = async (of: TestServer): Promise<[number, unknown]> => {
    const response = await fetch(`${of.url}/ready`);
    return [response.status, await response.json()];
  };
  const failing = (reason: string) => [
    503,
    { status: 'failing', checks: { payments: 'failed' }, reasons: { payments: reason } },
  ];

  const startProbed = async (settings: Record<string, string> = {}): Promise<TestServer> => {
    const probed: { server?: TestServer } = {};
    const started = await startTestServer({
      settings,
      checks: {
        payments: () => (probed.server ? probePayments(probed.server.app.db) : false),
      },
    });
    return (probed.server = started);
  };

  it('is false without a free connection for money, and true again with one', async () => {
    const probed = await startProbed();
    const giveBack = await takeAll(() => probed.app.db.connect(), 8);
    const without = await ready(probed);
    giveBack();
    // An answer is used again for half a second.
    let again = await ready(probed);
    await until(async () => (again = await ready(probed))[0] === 200, 'readiness');
    const giveBackAll = await takeAll(() => probed.app.db.connect(), 8);
    giveBackAll();
    await probed.stop();

    expect(without).toEqual(failing('No connection to the database was free within a second.'));
    expect(again).toEqual([200, { status: 'ready', checks: { payments: 'ok' } }]);
  });

  it.each([
    // A limit of temporary files refuses new blocks as a full disk does.
    ["temp_file_limit = '1kB'", 'The disk of the database is full.'],
    ['default_transaction_read_only = on', 'The database takes no writes.'],
  ])('is false with %s', async (setting, reason) => {
    const probed = await startProbed();
    const url = probed.app.config.DATABASE_URL ?? '';
    await onServer(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${setting}`);
    await onServer(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    // The pool notices each ended connection a moment later.
    let answer = await ready(probed);
    await until(async () => {
      answer = await ready(probed);
      return JSON.stringify(answer).includes(reason);
    }, reason);
    await probed.stop();

    expect(answer).toEqual(failing(reason));
  });

  it('is false while the database is away', async () => {
    const database = await createCuttableDatabase();
    const probed = await startProbed({ DATABASE_URL: database.url });
    await database.cut();
    const answer = await ready(probed);
    await database.mend();
    await probed.stop();
    await database.drop();

    expect(answer).toEqual(failing('The database cannot be reached.'));
  });
});
