import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { query } from '../support/database.ts';
import { startHarness, type Harness, type Payload } from './harness.ts';
import { until } from '../support/until.ts';
import { setTimeout as delay } from 'node:timers/promises';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

/** Prepares and starts each operation. The inner promise waits for the provider. */
const OPERATIONS: Readonly<Record<string, () => Promise<() => Promise<Payload>>>> = {
  authorisation: async () => () => harness.create(),
  capture: async () => {
    const id = await harness.authorized();
    return () => harness.capture(id);
  },
  refund: async () => {
    const id = await harness.captured();
    return () => harness.refund(id);
  },
  void: async () => {
    const id = await harness.authorized();
    return () => harness.void(id);
  },
};

describe('while the provider hangs', () => {
  it.each(Object.keys(OPERATIONS))('no session is in a transaction for the %s', async (name) => {
    const operate = await OPERATIONS[name]?.();
    const calls = harness.provider.calls.length;
    harness.provider.failNext('hang');

    const answer = operate?.();
    await until(() => harness.provider.calls.length > calls);
    // A statement of its own may still run, such as the note of the key's last use. An open transaction would stay.
    let during = await sessions();
    for (let looks = 0; looks < 20 && during.some(isBusy); looks += 1) {
      await delay(50);
      during = await sessions();
    }
    const pending = await query<{ count: number }>(url(), PENDING);
    harness.provider.release();
    const payload = await answer;

    expect(during.length).toBeGreaterThan(0);
    expect(during.filter(({ state }) => state !== 'idle')).toEqual([]);
    expect(during.filter(({ locks }) => locks > 0)).toEqual([]);
    expect(pending).toEqual([{ count: 1 }]);
    expect(payload?.userErrors).toEqual([]);
    expect(await query(url(), PENDING)).toEqual([{ count: 0 }]);
  });
});

it('the check would find a session in a transaction', async () => {
  const seen = await harness.server.app.db.transaction(async (tx) => {
    await tx.transaction.count();
    return sessions();
  });

  expect(seen.filter(({ state }) => state !== 'idle')).toEqual([
    { state: 'idle in transaction', locks: expect.any(Number) },
  ]);
  expect(seen.filter(({ locks }) => locks > 0)).toHaveLength(1);
});

type Session = { readonly state: string; readonly locks: number };

const isBusy = ({ state, locks }: Session): boolean => state !== 'idle' || locks > 0;

/** Lists the other sessions of the test's database. */
const sessions = (): Promise<readonly Session[]> =>
  query<Session>(
    url(),
    `SELECT a.state, (SELECT count(*)::int FROM pg_locks l WHERE l.pid = a.pid) AS locks FROM pg_stat_activity a
     WHERE a.datname = current_database() AND a.backend_type = 'client backend' AND a.pid <> pg_backend_pid()`,
  );

const PENDING = `SELECT count(*)::int FROM operation WHERE status = 'pending'`;

/** Returns the address of the test's database. */
const url = (): string => harness.server.app.config.DATABASE_URL ?? '';
