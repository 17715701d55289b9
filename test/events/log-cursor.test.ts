import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { relayOnce } from '../../src/modules/events/index.ts';
import { startEvents, type EventsHarness } from './harness.ts';
import { query } from '../support/database.ts';
import { until } from '../support/until.ts';

let harness: EventsHarness;
beforeAll(async () => {
  harness = await startEvents();
});
afterAll(() => harness.stop());

/** Begins a transaction that inserts an event, and leaves it open. */
async function begin(merchantAccountId: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: harness.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(INSERT, [merchantAccountId, randomUUID(), name]);
  return client;
}

async function end(client: pg.Client, how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
  await client.query(how);
  await client.end();
}

const INSERT = `INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  VALUES ($1, $2, $3, 'test', 't', '{}', now())`;

const insert = (merchantAccountId: string, name: string): Promise<unknown> =>
  query(harness.url, INSERT, [merchantAccountId, randomUUID(), name]);

const relay = async (): Promise<void> => {
  while (await relayOnce(harness.app));
};

const cursor = async (): Promise<{ readonly missing: boolean; readonly young: boolean }> => {
  const [row] = await query<{ missing: boolean; young: boolean }>(
    harness.url,
    `SELECT missing <> '{}' AS missing, young <> '{}' AS young FROM log_cursor WHERE name = 'feed'`,
  );
  if (!row) throw new Error('There is no cursor.');
  return row;
};

describe('the cursor of the feed', () => {
  it('publishes an event that was written before others and committed after them, in the order of commits', async () => {
    const viewer = await harness.viewer();
    const account = viewer.merchantAccountId;
    const late = await begin(account, 'test.late');
    await insert(account, 'test.second');
    await relay();
    expect(await cursor()).toEqual({ missing: true, young: false });
    const later = await begin(account, 'test.later');
    await insert(account, 'test.third');
    await relay();
    expect(await cursor()).toEqual({ missing: true, young: true });
    await end(late, 'COMMIT');
    await relay();
    await insert(account, 'test.fourth');
    await relay();
    await end(later, 'COMMIT');
    await relay();

    expect((await harness.feed(viewer)).map(({ name }) => name)).toEqual([
      ...['test.second', 'test.third', 'test.late', 'test.fourth', 'test.later'],
    ]);
  });

  it('gives a place up once its transaction has ended without an event', async () => {
    const viewer = await harness.viewer();
    const account = viewer.merchantAccountId;
    const given = await begin(account, 'test.given-up');
    await insert(account, 'test.first');
    await relay();
    await end(given, 'ROLLBACK');
    // Each write transaction of the cluster may fill the gap, also one of another test.
    await until(async () => {
      await insert(account, 'test.later');
      await relay();
      const { missing, young } = await cursor();
      return !missing && !young;
    }, 'a cursor without a gap');

    const names = (await harness.feed(viewer)).map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(['test.first', 'test.later']);
    expect(names).not.toContain('test.given-up');
  });

  it('gives the places of another cluster up after the restore of a dump', async () => {
    const viewer = await harness.viewer();
    const given = await begin(viewer.merchantAccountId, 'test.given-up');
    await insert(viewer.merchantAccountId, 'test.first');
    await relay();
    await end(given, 'ROLLBACK');
    // The former cluster had counted more transactions than this one.
    await query(harness.url, `UPDATE log_cursor SET horizon = '1000000000000' WHERE name = 'feed'`);
    await insert(viewer.merchantAccountId, 'test.second');
    await relay();
    const restored = await cursor();
    await insert(viewer.merchantAccountId, 'test.third');
    await relay();

    expect([restored, await cursor()]).toEqual([
      { missing: false, young: false },
      { missing: false, young: false },
    ]);
    expect((await harness.feed(viewer)).map(({ name }) => name)).toEqual([
      ...['test.first', 'test.second', 'test.third'],
    ]);
  });

  it('publishes events behind an open transaction at once, however long that takes', async () => {
    const viewer = await harness.viewer();
    const account = viewer.merchantAccountId;
    const open = await begin(account, 'test.open');
    const names = Array.from({ length: 20 }, (_, nth) => `test.n${nth}`);
    for (const name of names) {
      await insert(account, name);
      await relay();
    }
    const before = await harness.feed(viewer);
    await end(open, 'COMMIT');
    await relay();

    expect(before.map(({ name }) => name)).toEqual(names);
    expect((await harness.feed(viewer)).map(({ name }) => name)).toEqual([...names, 'test.open']);
  });

  it('relies on a transaction having its number before its position', async () => {
    const client = new pg.Client({ connectionString: harness.url });
    await client.connect();
    const { rows } = await client.query<{ before: string | null; position: string; after: string | null }>(
      `SELECT pg_current_xact_id_if_assigned()::text AS before, (${await defaultOfPosition()})::text AS position,
         pg_current_xact_id_if_assigned()::text AS after`,
    );
    await client.end();

    expect(rows[0]?.before).toBeNull();
    expect(Number(rows[0]?.position)).toBeGreaterThan(0);
    expect(rows[0]?.after).not.toBeNull();
  });
});

async function defaultOfPosition(): Promise<string> {
  const [row] = await query<{ expression: string }>(
    harness.url,
    `SELECT pg_get_expr(adbin, adrelid) AS expression FROM pg_attrdef
     JOIN pg_attribute a ON a.attrelid = adrelid AND a.attnum = adnum WHERE adrelid = 'event'::regclass AND attname = 'position'`,
  );
  return row?.expression ?? '';
}
