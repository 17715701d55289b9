import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BEGINNING, startKeySweeper, sweepAfter } from '../../src/modules/idempotency/sweep.ts';
import { query } from '../support/database.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const DAY_MS = 86_400_000;
const CREATE =
  'mutation ($key: String!) { createBuyer(input: { displayName: "Ann" }, idempotencyKey: $key) { replayed } }';

let elapsedMs = 0;
let server: TestServer;
beforeAll(async () => {
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 5)));
  server = await startTestServer({ clock: { now: () => new Date(Date.now() + elapsedMs), sleep } });
});
afterAll(() => server.stop());

const rows = async (sql: string): Promise<readonly Record<string, unknown>[]> =>
  query(server.app.config.DATABASE_URL ?? '', sql);
const keys = async (): Promise<unknown[]> =>
  (await rows('SELECT key FROM idempotency_key ORDER BY key')).map(({ key }) => key);

/** Stores records of many keys, of which every third is expired. */
const storeMany = (count: number) =>
  rows(`INSERT INTO idempotency_key (merchant_account_id, operation, key, fingerprint, digests, created_at, expires_at)
    SELECT 'account-' || n % 7, 'createTransaction', 'many-' || n, '', '{}', now(),
      now() + CASE WHEN n % 3 = 0 THEN interval '-1 day' ELSE interval '40 days' END
    FROM generate_series(1, ${count}) n`);

describe('expired idempotency keys', () => {
  it('are removed after 30 days and not before', async () => {
    await server.graphql(CREATE, { key: 'old' });
    elapsedMs = 29 * DAY_MS;
    const renewed = await server.mint();
    await server.graphql(CREATE, { key: 'young' }, { token: renewed });
    await sweepAfter(server.app, BEGINNING);
    const before = await keys();
    elapsedMs = 31 * DAY_MS;
    await sweepAfter(server.app, BEGINNING);

    expect(before).toEqual(['old', 'young']);
    expect(await keys()).toEqual(['young']);
    elapsedMs = 0;
  });

  it('are removed in small steps that reach the end of the table', async () => {
    await storeMany(1_200);
    let steps = 0;
    for (let place = await sweepAfter(server.app, BEGINNING); place; steps += 1) {
      const [left] = await rows('SELECT count(*)::int AS n FROM idempotency_key WHERE expires_at <= now()');
      // One step reads 500 records, and a third of them is expired.
      expect(Number(left?.['n'])).toBeGreaterThanOrEqual(400 - 200 * (steps + 1));
      place = await sweepAfter(server.app, place);
    }

    expect(steps).toBe(3);
    expect(await rows("SELECT count(*)::int AS n FROM idempotency_key WHERE key LIKE 'many-%'")).toEqual([
      { n: 800 },
    ]);
    await rows("DELETE FROM idempotency_key WHERE key LIKE 'many-%'");
  });

  it('are removed by the loop', async () => {
    await storeMany(9);
    const loop = startKeySweeper(server.app);
    await until(async () => (await keys()).length <= 7);
    await loop.stop();

    expect(await rows("SELECT count(*)::int AS n FROM idempotency_key WHERE key LIKE 'many-%'")).toEqual([
      { n: 6 },
    ]);
  });
});
