import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { App, Viewer } from '../../src/app.ts';
import {
  hasRoom,
  keepPartitions,
  preparePartitions,
  startDispatcher,
} from '../../src/modules/events/index.ts';
import { listPartitions } from '../support/partitions.ts';
import { retainOnce } from '../../src/modules/events/log/retention.ts';
import { openDb } from '../../src/platform/database/db.ts';
import { query } from '../support/database.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { relayAll } from '../support/relay-all.ts';
import { useSmallPartitions } from '../support/small-partitions.ts';
import { startEvents, until, type EventsHarness } from './harness.ts';

const DAY_MS = 24 * 3_600_000;
const SIZE = 3;

let now: number;
let harness: EventsHarness;
let app: App;
beforeEach(async () => {
  now = Date.parse('2026-01-01T00:00:00Z');
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 5)));
  harness = await startEvents({ clock: { now: () => new Date(now), sleep } });
  app = withSmallPartitions(harness.app);
  await useSmallPartitions(harness.url, SIZE);
});
afterEach(() => harness.stop());

const withSmallPartitions = (one: App): App => ({
  ...one,
  config: { ...one.config, PAYGRAPH_LOG_PARTITION: SIZE },
});

const ranges = async (table?: 'event'): Promise<readonly string[]> =>
  (await listPartitions(harness.url, table)).map(({ name, from, until: end }) => `${name} ${from}-${end}`);

/** Records events that reach the feed on a day. */
async function on(day: number, viewer: Viewer, count: number): Promise<void> {
  now = Date.parse('2026-01-01T00:00:00Z') + day * DAY_MS;
  await harness.record(viewer, ...Array.from({ length: count }, () => 'transaction.captured'));
  await relayAll(harness.app);
}

const positions = async (table: string): Promise<readonly number[]> => {
  const rows = await query<{ at: number }>(
    harness.url,
    `SELECT position::int AS at FROM ${table} ORDER BY 1`,
  );
  return rows.map(({ at }) => at);
};

const numbers = (from: number, until: number): readonly number[] =>
  Array.from({ length: until - from + 1 }, (_, index) => from + index);

/** Delivers every event to a receiver, with one attempt each. */
async function attemptAll(receiver: Receiver, count: number): Promise<void> {
  const loop = startDispatcher(app);
  await until(async () => (await positions('delivery_attempt')).length === count, 'the attempts');
  await loop.stop();
  expect(receiver.received).toHaveLength(count);
}

describe('the partitions of the attempts', () => {
  it('are created ahead of the log, once by several processes', async () => {
    const another = withSmallPartitions(await harness.another());
    const two = ['delivery_attempt_from_0 0-3', 'delivery_attempt_from_3 3-6'];
    await Promise.all([keepPartitions(app), keepPartitions(another), keepPartitions(app)]);
    expect(await ranges()).toEqual(two);

    await on(0, await harness.viewer(), 5);
    expect(await hasRoom(app)).toBe(false);
    const rooms = await Promise.all([keepPartitions(app), keepPartitions(another)]);
    expect(rooms.map(({ until: end }) => end)).toEqual([12n, 12n]);

    expect(await hasRoom(app)).toBe(true);
    expect(await ranges()).toEqual([...two, 'delivery_attempt_from_6 6-9', 'delivery_attempt_from_9 9-12']);
  });

  it('are created by the dispatcher when the log outruns them', async () => {
    const [viewer, receiver] = [await harness.viewer(), await startReceiver()];
    await harness.endpoint(viewer, receiver.url);
    await on(0, viewer, 10);

    await attemptAll(receiver, 10);

    expect(await positions('delivery_attempt')).toEqual(numbers(1, 10));
    expect(await positions('delivery_attempt_from_3')).toEqual([3, 4, 5]);
    await receiver.close();
  });

  it('are created for an event that is committed after the drop of its partition', async () => {
    const [viewer, receiver] = [await harness.viewer(), await startReceiver()];
    await harness.endpoint(viewer, receiver.url);
    await preparePartitions(app.db, SIZE);
    await query(harness.url, 'DROP TABLE delivery_attempt_from_0, delivery_attempt_from_3');

    await on(0, viewer, 7);
    await attemptAll(receiver, 7);

    expect(await positions('delivery_attempt')).toEqual(numbers(1, 7));
    expect((await ranges()).slice(0, 2)).toEqual([
      'delivery_attempt_from_0 0-6',
      'delivery_attempt_from_6 6-9',
    ]);
    await receiver.close();
  });

  it('have the keys and indexes of their table', async () => {
    await keepPartitions(app);

    const indexes = await query<{ shape: string }>(
      harness.url,
      `SELECT DISTINCT regexp_replace(indexdef, '^.* USING', '') AS shape FROM pg_indexes
       WHERE tablename LIKE 'delivery_attempt%' ORDER BY 1`,
    );
    expect(indexes.map(({ shape }) => shape)).toEqual([
      ' btree (merchant_account_id, endpoint_id, "position", number)',
      ' btree (merchant_account_id, id, "position")',
    ]);
  });

  it('are read one at a time for one delivery', async () => {
    await preparePartitions(app.db, SIZE);

    const rows = await query<{ 'QUERY PLAN': string }>(
      harness.url,
      `EXPLAIN (ANALYZE, COSTS OFF) SELECT a.* FROM (VALUES (4::bigint)) w (position) CROSS JOIN LATERAL (
         SELECT * FROM delivery_attempt b WHERE b.merchant_account_id = 'a' AND b.endpoint_id = gen_random_uuid()
           AND b.position = w.position ORDER BY number DESC LIMIT 50) a`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(new Set(plan.match(/delivery_attempt_from_\d+/g))).toEqual(new Set(['delivery_attempt_from_3']));
  });
});

describe('the retention', () => {
  const retain = async (): Promise<void> => {
    while (await retainOnce(app, 90)) continue;
  };
  const delivered = async () => {
    const [viewer, receiver] = [await harness.viewer(), await startReceiver()];
    await harness.endpoint(viewer, receiver.url);
    await on(0, viewer, 1);
    await on(1, viewer, 3);
    await on(20, viewer, 4);
    await attemptAll(receiver, 8);
    await receiver.close();
    return viewer;
  };

  it('drops a partition as a whole when its last event is removed', async () => {
    await delivered();
    now = Date.parse('2026-01-01T00:00:00Z') + 90.5 * DAY_MS;

    await retain();
    // The rest of the partition becomes old within a day, so event and attempt of position 1 stay.
    expect(await positions('feed_entry')).toEqual(numbers(2, 8));
    expect(await positions('delivery')).toEqual(numbers(2, 8));
    expect(await positions('event')).toEqual(numbers(1, 8));
    expect(await positions('delivery_attempt')).toEqual(numbers(1, 8));

    now += DAY_MS;
    await retain();
    // Positions 3 and 4 share a partition with an event that stays for weeks. Their rows are removed at once.
    expect(await positions('event')).toEqual(numbers(5, 8));
    expect(await positions('delivery_attempt')).toEqual(numbers(5, 8));
    expect((await ranges())[0]).toBe('delivery_attempt_from_3 3-6');
  });

  it('lets a long read end first, without delay for deliveries', async () => {
    await delivered();
    now = Date.parse('2026-01-01T00:00:00Z') + 92 * DAY_MS;
    const reader = new pg.Client({ connectionString: harness.url });
    await reader.connect();
    await reader.query('BEGIN; SELECT count(*) FROM delivery_attempt');
    const startedAt = performance.now();

    await retain();
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect((await ranges())[0]).toBe('delivery_attempt_from_0 0-3');

    await reader.query('COMMIT');
    await reader.end();
    await retain();
    expect((await ranges())[0]).toBe('delivery_attempt_from_3 3-6');
    expect(await positions('delivery_attempt')).toEqual(numbers(5, 8));
  });

  it('keeps a partition until the event after it is in the feed for hours', async () => {
    await on(0, await harness.viewer(), 2);
    await on(92, await harness.viewer(), 1);
    await retain();
    expect(await positions('feed_entry')).toEqual([3]);
    expect((await ranges())[0]).toBe('delivery_attempt_from_0 0-3');

    now += DAY_MS / 2;
    await retain();
    expect(await ranges()).toEqual([]);
  });

  it('keeps the partitions of a log whose events are all young', async () => {
    await delivered();
    const before = await ranges();

    await retain();

    expect(await ranges()).toEqual(before);
    expect(await positions('delivery_attempt')).toEqual(numbers(1, 8));
  });
});

describe('a database role that does not own the table', () => {
  const ROLE = 'paygraph_test_restricted';

  /** An app whose role may read and write every row, and may change no table. */
  async function restricted() {
    await query(
      harness.url,
      `DO $$ BEGIN CREATE ROLE ${ROLE}; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${ROLE};
       GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${ROLE}`,
    );
    const url = new URL(harness.url);
    url.searchParams.set('options', `-c role=${ROLE}`);
    const db = openDb({ url: url.href, connectionMax: 4, applicationName: 'restricted' });
    const errors: string[] = [];
    const log = Object.assign(Object.create(app.log), {
      error: (_: object, message: string) => void errors.push(message),
    }) as App['log'];
    return { app: { ...app, db, log }, errors };
  }

  it('may use each new partition as it may use the table', async () => {
    const limited = await restricted();

    await preparePartitions(app.db, SIZE);

    const [row] = await query<{ partitions: number; usable: number }>(
      harness.url,
      `SELECT count(*)::int AS partitions, count(*) FILTER (WHERE has_table_privilege('${ROLE}', inhrelid, 'INSERT'))::int AS usable
       FROM pg_inherits WHERE inhparent = 'delivery_attempt'::regclass`,
    );
    expect(row?.partitions).toBeGreaterThan(2);
    expect(row?.usable).toBe(row?.partitions);
    await limited.app.db.close();
  });

  it('removes old events, and leaves their partition to the owner with an error', async () => {
    await on(0, await harness.viewer(), 3);
    await on(20, await harness.viewer(), 1);
    const limited = await restricted();
    now += 80 * DAY_MS;

    while (await retainOnce(limited.app, 90)) continue;

    expect(await positions('feed_entry')).toEqual([4]);
    expect(await positions('event')).toEqual([1, 2, 4]);
    expect(await ranges('event')).toEqual(['event_from_0 0-3']);
    expect(await ranges()).toEqual(['delivery_attempt_from_0 0-3']);
    expect(limited.errors).toEqual([
      'The database role may not drop old partitions of event and delivery_attempt. Drop them as the owner of the tables.',
    ]);
    await limited.app.db.close();
  });

  it('sends nothing that has no partition, says so, and goes on when the owner has made one', async () => {
    const [viewer, receiver] = [await harness.viewer(), await startReceiver()];
    await harness.endpoint(viewer, receiver.url);
    await on(0, viewer, 4);
    const limited = await restricted();
    const role = await limited.app.db.query({ name: null, text: 'SELECT current_user AS name', values: [] });
    expect(role).toEqual([{ name: ROLE }]);
    const loop = startDispatcher(limited.app);

    await until(() => Promise.resolve(limited.errors.length > 0), 'the error');
    await until(async () => (await positions('delivery_attempt')).length === 2, 'the attempts');
    expect(receiver.received).toHaveLength(2);
    expect(limited.errors[0]).toBe(
      'The database role may not create partitions of event and delivery_attempt. ' +
        'Run "npm run migrate" as the owner of the tables before the events left are used up.',
    );
    await expect(preparePartitions(limited.app.db, SIZE)).rejects.toThrow(
      'Run "npm run migrate" as the owner of the tables.',
    );

    expect(await query(harness.url, 'SELECT DISTINCT state FROM delivery WHERE position > 2')).toEqual([
      { state: 'pending' },
    ]);

    await preparePartitions(app.db, SIZE);
    now += 1_000;
    await until(async () => (await positions('delivery_attempt')).length === 4, 'the other attempts');
    await loop.stop();
    expect(receiver.received).toHaveLength(4);
    await limited.app.db.close();
    await receiver.close();
  });
});
