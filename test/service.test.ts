import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startService, type Service } from '../src/main.ts';
import { parseConfig } from '../src/platform/config.ts';
import { createTestDatabase, query, type TestDatabase } from './support/database.ts';
import { UNTIL_MAX_MS } from './support/until.ts';

let database: TestDatabase;
let folder: string;
const services: Service[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'paygraph-service-'));
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  await database.drop().catch(() => undefined);
  await rm(folder, { recursive: true });
});

async function start(settings: Readonly<Record<string, string>> = {}): Promise<Service> {
  const base = { PORT: '0', DATABASE_URL: database.url, PAYGRAPH_DATA_DIR: folder, LOG_LEVEL: 'silent' };
  const service = await startService(parseConfig({ ...base, ...settings }));
  services.push(service);
  return service;
}

async function readiness({ url }: Service): Promise<unknown> {
  const response = await fetch(`${url ?? ''}/ready`);
  const body: unknown = await response.json();
  return { status: response.status, body };
}

describe('/ready', () => {
  it('is 200 when the database answers, is up to date, and events move', async () => {
    const service = await start();
    expect(await readiness(service)).toEqual({
      status: 200,
      body: { status: 'ready', checks: { database: 'ok', migrations: 'ok', payments: 'ok', relay: 'ok' } },
    });
  });

  it('is 503 while an event has waited for half a minute', async () => {
    // An old event stays behind, because no relay works on this database.
    const api = await start({ PAYGRAPH_ROLES: 'api' });
    await query(
      database.url,
      `WITH old AS (
         INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
         VALUES ('default', gen_random_uuid(), 'x', 'x', 'x', '{}', now() - interval '31 seconds') RETURNING position)
       INSERT INTO event_pending SELECT position FROM old`,
    );
    expect(await readiness(api)).toMatchObject({
      status: 200,
      body: { checks: { database: 'ok', migrations: 'ok', payments: 'ok' } },
    });

    const locked = await api.app.db.connect();
    await locked.query('BEGIN; SELECT pg_advisory_xact_lock(7020584530100231)');
    const worker = await start();
    expect(await readiness(worker)).toEqual({
      status: 503,
      body: {
        status: 'failing',
        checks: { database: 'ok', migrations: 'ok', payments: 'ok', relay: 'failed' },
      },
    });
    await locked.query('ROLLBACK');
    locked.release();
    await expectSoon(() => readiness(worker), { status: 200 });
  });

  it('is 503 while the database has another history than the code', async () => {
    const service = await start();
    await query(
      database.url,
      `UPDATE _prisma_migrations SET migration_name = '2099_later' WHERE migration_name LIKE '%_init'`,
    );
    expect(await readiness(service)).toMatchObject({
      status: 503,
      body: { checks: { database: 'ok', migrations: 'failed' } },
    });
  });

  it('is 503 when the database is gone', async () => {
    const service = await start();
    await database.drop();
    expect(await readiness(service)).toMatchObject({ status: 503, body: { checks: { database: 'failed' } } });
  });
});

describe('the roles', () => {
  it('can be split: one process accepts a payment, another one settles it into the feed', async () => {
    const api = await start({ PAYGRAPH_ROLES: 'api' });
    const worker = await start({ PAYGRAPH_ROLES: 'worker' });
    expect(worker.url).toBeNull();

    const token = (await api.sandbox?.token()) ?? '';
    const ask = async (document: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ query: document });
      const response = await fetch(`${api.url ?? ''}/graphql`, { method: 'POST', headers, body });
      return await response.json();
    };
    await ask(`mutation { createTransaction(input: { amount: 1299, currency: "USD", paymentMethod: {
      card: { number: "4111 1111 1111 1111", expirationDate: "03/30", securityCode: "100" } } }) { transaction { id } } }`);
    await expectSoon(() => ask('{ events { nodes { name } } }'), {
      data: { events: { nodes: [{ name: 'transaction.authorized' }] } },
    });
  });
});

describe('provisioning', () => {
  it('is not repeated: deleted records stay deleted, and renamed ones keep their names', async () => {
    const first = await start();
    await first.app.db.prisma.paymentService.updateMany({ data: { deletedAt: new Date() } });
    await first.app.db.prisma.merchantAccount.updateMany({ data: { displayName: 'Mine' } });
    // A month later the record of the idempotency key is gone too.
    await first.app.db.prisma.idempotencyKey.deleteMany();
    await start();
    expect(await query(database.url, 'SELECT count(*)::int AS count FROM payment_service')).toEqual([
      { count: 1 },
    ]);
    expect(await query(database.url, 'SELECT display_name AS name FROM merchant_account')).toEqual([
      { name: 'Mine' },
    ]);
    expect(await query(database.url, 'SELECT count(*)::int AS count FROM api_key_pair')).toEqual([
      { count: 1 },
    ]);
  });

  it('is not done in production', async () => {
    const service = await start({
      NODE_ENV: 'production',
      PAYGRAPH_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      PAYGRAPH_PUBLIC_URL: 'https://pay.example.com/',
    });
    expect(service.sandbox).toBeNull();
    expect(service.app.publicUrl).toBe('https://pay.example.com');
    for (const table of ['merchant_account', 'api_key_pair', 'payment_service']) {
      expect(await query(database.url, `SELECT FROM ${table}`)).toEqual([]);
    }
    expect(await query(database.url, 'SELECT name, value FROM installation_fact')).toEqual([
      { name: 'installation.kind', value: 'production' },
    ]);
  });
});

/** Repeats a request until the answer has the expected content. */
async function expectSoon(ask: () => Promise<unknown>, expected: Record<string, unknown>): Promise<void> {
  for (const limit = performance.now() + UNTIL_MAX_MS; performance.now() < limit;) {
    try {
      expect(await ask()).toMatchObject(expected);
      return;
    } catch {
      await delay(50);
    }
  }
  expect(await ask()).toMatchObject(expected);
}

describe('the page of a sandbox', () => {
  const pageOf = async ({ url }: Service): Promise<string> =>
    (await fetch(`${(url ?? '').replace('0.0.0.0', '127.0.0.1')}/`)).text();

  it('hands out a token on this machine alone, or when the operator allows it', async () => {
    const alone = await start();
    const open = { HOST: '0.0.0.0', PAYGRAPH_PUBLIC_URL: 'http://127.0.0.1' };
    const reached = await start(open);
    const shared = await start({ ...open, PAYGRAPH_SHARE_SANDBOX_TOKEN: 'true' });

    expect(await pageOf(alone)).toContain('"token":"ey');
    expect(await pageOf(reached)).toContain('"token":null');
    expect(await pageOf(shared)).toContain('"token":"ey');
  });
});
