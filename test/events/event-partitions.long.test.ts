import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { App, Viewer } from '../../src/app.ts';
import { readDeliveries, readDeliveriesOfEvents } from '../../src/modules/events/delivery/deliveries.sql.ts';
import { readRangeAbout } from '../../src/modules/events/feed/store/feed.sql.ts';
import { readEventsOfRecords } from '../../src/modules/events/feed/store/payment-events.sql.ts';
import { keepPartitions, preparePartitions } from '../../src/modules/events/index.ts';
import { checkFeedPart } from '../../src/modules/events/log/feed-check.ts';
import { retainOnce } from '../../src/modules/events/log/retention.ts';
import { findPlace } from '../../src/modules/events/replay/replay.sql.ts';
import { query } from '../support/database.ts';
import { listPartitions } from '../support/partitions.ts';
import { relayAll } from '../support/relay-all.ts';
import { useSmallPartitions } from '../support/small-partitions.ts';
import { recordNamed, startEvents, type EventsHarness } from './harness.ts';

const DAY_MS = 24 * 3_600_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const SIZE = 3;

let now: number;
let harness: EventsHarness;
let app: App;
let viewer: Viewer;
beforeEach(async () => {
  now = START;
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 5)));
  harness = await startEvents({ clock: { now: () => new Date(now), sleep } });
  app = { ...harness.app, config: { ...harness.app.config, PAYGRAPH_LOG_PARTITION: SIZE } };
  await useSmallPartitions(harness.url, SIZE);
  viewer = await harness.viewer();
});
afterEach(() => harness.stop());

/** Records events about one record that reach the feed on a day. */
async function on(day: number, count: number, targetId = 'one'): Promise<void> {
  now = START + day * DAY_MS;
  for (let nth = 0; nth < count; nth += 1)
    await app.db.transaction((tx) => recordNamed(app, tx, viewer, 'transaction.captured', targetId));
  await relayAll(app);
}

/** Lists the positions of each partition with rows. */
async function places(): Promise<Readonly<Record<string, readonly number[]>>> {
  const rows = await query<{ part: string; at: number[] }>(
    harness.url,
    `SELECT tableoid::regclass::text AS part, array_agg(position::int ORDER BY position) AS at FROM event GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ part, at }) => [part, at]));
}

const sequences = async (): Promise<readonly number[]> =>
  (await harness.feed(viewer)).map(({ sequence }) => Number(sequence));

const names = async (table: 'event' | 'delivery_attempt'): Promise<readonly string[]> =>
  (await listPartitions(harness.url, table)).map(({ name }) => name);

async function retainAt(day: number): Promise<void> {
  now = START + day * DAY_MS;
  while (await retainOnce(app, 90)) continue;
}

describe('the partitions of events', () => {
  it('have the borders of the partitions of attempts', async () => {
    await preparePartitions(app.db, SIZE);

    const borders = async (table: 'event' | 'delivery_attempt') =>
      (await listPartitions(harness.url, table)).map(({ from, until }) => [from, until]);
    expect(await borders('event')).toEqual(await borders('delivery_attempt'));
    expect(await borders('event')).toHaveLength(8);
  });

  it('take a payment without a partition, and the later partitions begin after it', async () => {
    await on(0, 5);
    await keepPartitions(app);
    await on(0, 7);

    expect(await places()).toEqual({
      event_from_0: [1, 2],
      event_default: [3, 4, 5, 6, 7, 8, 12],
      event_from_9: [9, 10, 11],
    });
    expect(await sequences()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('refuse changes, removals and a second event with the same id', async () => {
    await preparePartitions(app.db, SIZE);
    await on(0, 4);
    const refused = (statement: string, reason: string) =>
      expect(query(harness.url, statement)).rejects.toThrow(reason);

    for (const table of ['event', 'event_from_0', 'event_from_3', 'event_default']) {
      await refused(`UPDATE ${table} SET name = 'x' WHERE false`, 'append-only');
      await refused(`DELETE FROM ${table} WHERE false`, 'append-only');
      await refused(`TRUNCATE ${table}`, 'append-only');
    }
    await refused(
      `INSERT INTO event SELECT 5, merchant_account_id, id, name, target_type, target_id, payload, created_at
       FROM event WHERE position = 4`,
      'event_from_3_id_key',
    );
  });

  it('are read one at a time for one position', async () => {
    await preparePartitions(app.db, SIZE);

    const rows = await query<{ 'QUERY PLAN': string }>(
      harness.url,
      `EXPLAIN (ANALYZE, COSTS OFF) SELECT e.* FROM (VALUES (4::bigint)) w (position) CROSS JOIN LATERAL (
         SELECT * FROM event WHERE position = ANY (ARRAY[w.position]) ORDER BY position LIMIT 1) e`,
    );
    const read = rows
      .map((row) => row['QUERY PLAN'])
      .filter((line) => line.includes(' on event_') && !line.includes('never executed'));
    expect(read).toHaveLength(1);
    expect(read[0]).toContain('event_from_3');
  });
});

describe('the retention of events', () => {
  beforeEach(() => preparePartitions(app.db, SIZE));

  it('drops their partitions as a whole, events before attempts', async () => {
    await on(0, 2);
    await on(1, 3);
    await on(20, 3);

    await retainAt(92);

    expect(await places()).toEqual({ event_from_6: [6, 7, 8] });
    expect((await names('event'))[0]).toBe('event_from_6');
    expect((await names('delivery_attempt'))[0]).toBe('delivery_attempt_from_6');
    expect(await sequences()).toEqual([6, 7, 8]);
  });

  it('shows no event that waits for the drop of its partition, and publishes none again', async () => {
    const { id: endpointId } = await harness.endpoint(viewer, 'https://example.com/');
    await on(0, 1);
    const [first] = await harness.feed(viewer);
    await on(1, 7);
    await query(harness.url, `UPDATE delivery SET state = 'done'`);
    await retainAt(90.5);
    expect((await places())['event_from_0']).toEqual([1, 2]);
    await checkFeedPart(app, { after: 0n, until: 8n });
    await relayAll(app);

    const columns = 'whole';
    const range = { after: 0n, until: 100n, patterns: [], limit: 100, columns } as const;
    const target = { type: 'transaction', id: 'one' };
    const { merchantAccountId } = viewer;
    const about = await readRangeAbout(app.db, merchantAccountId, target, range);
    const wanted = [{ targets: [target], after: null, order: 'oldest', limit: 100 }] as const;
    const [ofRecord] = await readEventsOfRecords(app.db, merchantAccountId, wanted, columns);
    const page = { direction: 'backward', limit: 10, cursor: first?.id ?? '' } as const;
    expect(await sequences()).toEqual([2, 3, 4, 5, 6, 7, 8]);
    expect(about.map(({ sequence }) => sequence)).toEqual([2n, 3n, 4n, 5n, 6n, 7n, 8n]);
    expect(ofRecord).toHaveLength(7);
    expect(await readDeliveriesOfEvents(app.db, merchantAccountId, [first?.id ?? ''], columns)).toEqual([]);
    const deliveries = { page, states: [], columns } as const;
    expect(await readDeliveries(app.db, merchantAccountId, [endpointId], deliveries)).toEqual([]);
    expect(await app.db.transaction((tx) => findPlace(tx, merchantAccountId, first?.id ?? ''))).toBeNull();
  });

  it('keeps a partition while a transaction that wrote an event is open, however long', async () => {
    await on(0, 1);
    const open = new pg.Client({ connectionString: harness.url });
    await open.connect();
    await open.query('BEGIN');
    await open.query(
      `INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
       VALUES ($1, $2, 'transaction.captured', 'transaction', 'late', '{}', now())`,
      [viewer.merchantAccountId, randomUUID()],
    );
    await on(0, 1);
    await on(1, 1);
    await on(200, 1);
    await retainAt(300);
    expect((await names('event'))[0]).toBe('event_from_0');
    expect((await names('delivery_attempt'))[0]).toBe('delivery_attempt_from_0');

    await open.query('COMMIT');
    await open.end();
    await retainAt(300);
    expect((await names('event'))[0]).toBe('event_from_0');
    await relayAll(app);

    const late = await readRangeAbout(
      app.db,
      viewer.merchantAccountId,
      { type: 'transaction', id: 'late' },
      { after: 0n, until: 100n, patterns: [], limit: 1, columns: 'whole' },
    );
    expect(late).toHaveLength(1);
  });
});
