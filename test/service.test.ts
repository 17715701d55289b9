import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Service } from '../src/main.ts';
import { query } from './support/database.ts';
import { readiness, useServices } from './support/services.ts';
import { UNTIL_MAX_MS } from './support/until.ts';
import { masterKeyText } from './support/master-key.ts';

const { database, start } = useServices();

/** The checks of a process without background work. */
const OF_API = { database: 'ok', migrations: 'ok', payments: 'ok', clock: 'ok' };

describe('/ready', () => {
  it('is 200 when the database answers, is up to date, and events move', async () => {
    const service = await start();
    expect(await readiness(service)).toEqual({
      status: 200,
      body: { status: 'ready', checks: { ...OF_API, relay: 'ok', partitions: 'ok' } },
    });
  });

  it('is 503 while an event has waited for half a minute', async () => {
    // An old event stays behind, because no relay works on this database.
    const api = await start({ PAYGRAPH_ROLES: 'api' });
    await query(
      database().url,
      `INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
       VALUES ('default', gen_random_uuid(), 'x', 'x', 'x', '{}', now() - interval '31 seconds')`,
    );
    expect(await readiness(api)).toMatchObject({
      status: 200,
      body: { checks: OF_API },
    });

    const locked = await api.app.db.connect();
    await locked.query('BEGIN; SELECT pg_advisory_xact_lock(7020584530100231)');
    const worker = await start();
    expect(await readiness(worker)).toEqual({
      status: 503,
      body: {
        status: 'failing',
        checks: { ...OF_API, relay: 'failed', partitions: 'ok' },
      },
    });
    await locked.query('ROLLBACK');
    locked.release();
    await expectSoon(() => readiness(worker), { status: 200 });
  });
});

describe('the roles', () => {
  it('can be split: one process accepts a payment, another one settles it into the feed', async () => {
    const api = await start({ PAYGRAPH_ROLES: 'api' });
    await start({ PAYGRAPH_ROLES: 'worker' });

    const token = (await api.sandbox?.token()) ?? '';
    const ask = async (document: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ query: document });
      const response = await fetch(`${api.url}/graphql`, { method: 'POST', headers, body });
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
  it('is not done in production', async () => {
    const service = await start({
      NODE_ENV: 'production',
      PAYGRAPH_MASTER_KEY: masterKeyText(7),
      PAYGRAPH_PUBLIC_URL: 'https://pay.example.com/',
    });
    expect(service.sandbox).toBeNull();
    expect(service.app.publicUrl).toBe('https://pay.example.com');
    for (const table of ['merchant_account', 'api_key_pair', 'payment_service']) {
      expect(await query(database().url, `SELECT FROM ${table}`)).toEqual([]);
    }
    const facts = await query<{ name: string }>(
      database().url,
      'SELECT name FROM installation_fact ORDER BY name',
    );
    expect(facts.map(({ name }) => name)).toEqual(['installation.kind', 'newest_release']);
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
    (await fetch(`${url.replace('0.0.0.0', '127.0.0.1')}/`)).text();

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
