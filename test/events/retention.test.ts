import type { Statement } from '../../src/platform/database/statement.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/app.ts';
import { createFeedTail, readFeed, startRetention, subscribeEvents } from '../../src/modules/events/index.ts';
import { encodeCursor } from '../../src/kernel/page.ts';
import { retentionLock } from '../../src/modules/events/log/retention.sql.ts';
import { retainOnce } from '../../src/modules/events/log/retention.ts';

import { setFailpoint } from '../../src/platform/failpoint.ts';
import { query } from '../support/database.ts';
import { holdFirstAt } from '../support/hold.ts';
import { startEvents, type EventsHarness } from './harness.ts';
import { relayAll } from '../support/relay-all.ts';
import { until } from '../support/until.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const days = (count: number): number => count * 24 * 3_600_000;

let now = START;
let harness: EventsHarness;
beforeAll(async () => {
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 5)));
  harness = await startEvents({ clock: { now: () => new Date(now), sleep } });
});
afterAll(() => harness.stop());

/** Records events that reach the feed on a day. */
async function on(day: number, viewer: Viewer, ...names: readonly string[]): Promise<void> {
  now = START + days(day);
  await harness.record(viewer, ...names);
  await relayAll(harness.app);
}

const retain = async (): Promise<void> => {
  while (await retainOnce(harness.app, 90)) continue;
};
const names = async (viewer: Viewer): Promise<string[]> =>
  (await harness.feed(viewer)).map(({ name }) => name);
const sequences = async (viewer: Viewer): Promise<number[]> =>
  (await harness.feed(viewer)).map(({ sequence }) => Number(sequence));

/** Reads all rows of a merchant account's events. */
async function rows({ merchantAccountId }: Viewer) {
  const [counts] = await query(
    harness.url,
    `SELECT (SELECT count(*)::int FROM event WHERE merchant_account_id = $1) AS events,
       (SELECT count(*)::int FROM feed_entry WHERE merchant_account_id = $1) AS entries,
       (SELECT count(*)::int FROM delivery WHERE merchant_account_id = $1) AS deliveries,
       (SELECT count(*)::int FROM delivery_attempt WHERE merchant_account_id = $1) AS attempts,
       (SELECT floor::int FROM feed_head WHERE merchant_account_id = $1) AS floor`,
    [merchantAccountId],
  );
  return counts;
}

/** Returns true if no process is removing events. */
async function isLockFree(): Promise<boolean> {
  const [taken] = await harness.app.db.query<{ mine: boolean }>(retentionLock({}));
  return taken?.mine === true;
}

async function settle({ merchantAccountId }: Viewer, state: string): Promise<void> {
  await query(
    harness.url,
    `INSERT INTO delivery_attempt (merchant_account_id, id, endpoint_id, position, number, started_at, duration_ms)
     SELECT merchant_account_id, gen_random_uuid(), endpoint_id, position, 1, created_at, 3 FROM delivery
     WHERE merchant_account_id = $1 AND state = 'pending'`,
    [merchantAccountId],
  );
  await query(harness.url, `UPDATE delivery SET state = $2 WHERE merchant_account_id = $1`, [
    merchantAccountId,
    state,
  ]);
}

describe('the retention', () => {
  it('removes events by their time in the feed, with all their rows, and leaves other accounts alone', async () => {
    const [viewer, young] = [await harness.viewer(), await harness.viewer()];
    await harness.endpoint(viewer, 'https://example.com/');
    await on(0, viewer, 'transaction.authorized', 'transaction.captured');
    // Created on the first day, and committed on the eleventh in this simulation.
    await harness.record(viewer, 'transaction.voided');
    await on(10, viewer);
    await on(80, young, 'transaction.authorized');
    await settle(viewer, 'done');
    expect(await rows(viewer)).toEqual({ events: 3, entries: 3, deliveries: 3, attempts: 3, floor: 0 });

    now = START + days(90);
    await retain();
    expect(await rows(viewer)).toEqual({ events: 3, entries: 3, deliveries: 3, attempts: 3, floor: 0 });

    now = START + days(90) + 1;
    await retain();

    expect(await rows(viewer)).toEqual({ events: 1, entries: 1, deliveries: 1, attempts: 1, floor: 2 });
    expect(await rows(young)).toMatchObject({ events: 1, entries: 1, floor: 0 });
    expect(await names(viewer)).toEqual(['transaction.voided']);
    await on(91, viewer, 'transaction.declined');
    expect(await sequences(viewer)).toEqual([3, 4]);
  });

  it('does not pass an event with an unsettled delivery', async () => {
    const viewer = await harness.viewer();
    await on(0, viewer, 'transaction.authorized');
    await harness.endpoint(viewer, 'https://example.com/');
    await on(0, viewer, 'transaction.captured', 'transaction.voided');
    now = START + days(200);

    await retain();
    expect(await rows(viewer)).toMatchObject({ events: 2, deliveries: 2, floor: 1 });

    await settle(viewer, 'expired');
    await retain();
    expect(await rows(viewer)).toEqual({ events: 0, entries: 0, deliveries: 0, attempts: 0, floor: 3 });
    expect(await names(viewer)).toEqual([]);
    await on(201, viewer, 'transaction.declined');
    expect(await sequences(viewer)).toEqual([4]);
  });

  it('removes more than one batch, and as much when two processes do it at once', async () => {
    const viewer = await harness.viewer();
    now = START;
    await query(harness.url, MANY, [viewer.merchantAccountId, new Date(now)]);
    await relayAll(harness.app);
    await on(95, viewer, 'transaction.void-failed');
    const other = await harness.another();

    await Promise.all([retain(), retainOnce(other, 90)]);
    await retain();

    expect(await rows(viewer)).toMatchObject({ events: 1, entries: 1, floor: 650 });
  });

  it('removes nothing when it dies in the middle', async () => {
    const viewer = await harness.viewer();
    await on(0, viewer, 'transaction.authorized', 'transaction.captured');
    now = START + days(100);
    const before = await rows(viewer);
    const remove = setFailpoint('retention.removed', () => {
      throw new Error('dies here');
    });

    await expect(retainOnce(harness.app, 90)).rejects.toThrow('dies here');
    remove();

    expect(await rows(viewer)).toEqual(before);
    // Postgres may notice the closed connection a moment later. Its lock would end the next removal at once.
    await until(isLockFree);
    await retain();
    expect(await rows(viewer)).toMatchObject({ events: 0, floor: 2 });
  });

  it('loses its locks when its process freezes, so that the relay continues', async () => {
    const viewer = await harness.viewer();
    await on(0, viewer, 'transaction.authorized');
    now = START + days(100);
    const held = holdFirstAt('retention.removed');
    const frozen = retainOnce(await harness.another(), 90).catch((error: unknown) => String(error));
    await held.reached;
    const startedAt = Date.now();

    await harness.record(viewer, 'transaction.captured');
    await relayAll(harness.app);

    expect(Date.now() - startedAt).toBeLessThan(20_000);
    held.go();
    expect(await frozen).toMatch(/connection|terminat|timeout/i);
    expect(await names(viewer)).toEqual(['transaction.authorized', 'transaction.captured']);
  });

  it('is not started when events are kept for ever', () => {
    const config = { ...harness.app.config, PAYGRAPH_EVENT_RETENTION_DAYS: null };
    expect(startRetention({ ...harness.app, config })).toBeNull();
  });

  it('is the only one that may remove events, and may not change them', async () => {
    const refused = (statement: string): Promise<void> =>
      expect(query(harness.url, statement)).rejects.toThrow('event is append-only');

    await refused('DELETE FROM event WHERE false');
    await refused(`SET paygraph.retention = 'on'; UPDATE event SET name = 'x' WHERE false`);
    await refused(`SET paygraph.retention = 'on'; TRUNCATE event CASCADE`);
    await refused(`SET paygraph.retention = 'yes'; DELETE FROM event WHERE false`);
  });
});

describe('a cursor before the oldest remaining event', () => {
  const read = (viewer: Viewer, after?: string) => readFeed(harness.app, viewer, { first: 20, after });
  const oldFeed = async () => {
    const viewer = await harness.viewer();
    await on(0, viewer, 'transaction.authorized', 'transaction.captured');
    await on(50, viewer, 'transaction.voided');
    const cursors = (await harness.feed(viewer)).map(({ cursor }) => cursor);
    now = START + days(100);
    await retain();
    return { viewer, cursors };
  };

  it('is refused with the cursor of the oldest remaining event', async () => {
    const { viewer, cursors } = await oldFeed();

    // The event before the oldest remaining one is removed, so the cursor names no event.
    const earliestCursor = encodeCursor(`feed.${viewer.merchantAccountId}.2`);
    const expired = { ok: false, refusals: [{ kind: 'CursorExpired', earliestCursor }] };
    expect(await read(viewer, cursors[0])).toEqual(expired);
    expect(await subscribeEvents(harness.app, viewer, { after: cursors[0] })).toEqual(expired);
    for (const cursor of [cursors[1], earliestCursor]) {
      const again = await read(viewer, cursor);
      expect(again.ok && again.value.items.map(({ name }) => name)).toEqual(['transaction.voided']);
      expect(again.ok && again.value.hasPreviousPage).toBe(false);
    }
  });

  it('is not needed to begin at the oldest event', async () => {
    const { viewer } = await oldFeed();

    const page = await read(viewer);
    expect(page.ok && page.value.items.map(({ name }) => name)).toEqual(['transaction.voided']);
    const feedTail = createFeedTail(harness.app);
    const started = await subscribeEvents({ ...harness.app, feedTail }, viewer, { after: 'BEGIN' });
    if (!started.ok) throw new Error('refused');
    expect((await started.value.next()).value).toMatchObject({ name: 'transaction.voided', sequence: 3n });
    await started.value.return();
    await feedTail.stop();
  });

  it('ends the subscription of a slow consumer, with this refusal as the last message', async () => {
    const viewer = await harness.viewer();
    await on(0, viewer, ...Array.from({ length: 260 }, (_, index) => `test.n${index}`));
    const feedTail = createFeedTail(harness.app);
    const started = await subscribeEvents({ ...harness.app, feedTail }, viewer, { after: 'BEGIN' });
    if (!started.ok) throw new Error('refused');
    expect((await started.value.next()).value).toMatchObject({ sequence: 1n });

    now = START + days(100);
    await retain();
    const rest = [];
    for await (const event of started.value) rest.push(event);
    await feedTail.stop();

    // Only the rest of the page in memory.
    expect(rest.slice(0, -1).map((event) => 'sequence' in event && Number(event.sequence))).toEqual(
      Array.from({ length: 99 }, (_, index) => index + 2),
    );
    expect(rest.at(-1)).toMatchObject({ kind: 'CursorExpired' });
  });

  it('is refused even when it expires during the read', async () => {
    const viewer = await harness.viewer();
    await on(0, viewer, 'transaction.authorized', 'transaction.captured');
    await on(50, viewer, 'transaction.voided');
    const [first] = await harness.feed(viewer);
    now = START + days(100);
    const { db } = harness.app;
    let cut = false;
    const slow = {
      ...db,
      query: async <Row>(statement: Statement): Promise<readonly Row[]> => {
        if (statement.name === 'feed_range_filtered_whole' && !cut) {
          cut = true;
          await retain();
        }
        return await db.query<Row>(statement);
      },
    };

    const page = await readFeed({ ...harness.app, db: slow }, viewer, {
      first: 20,
      after: first?.cursor,
      types: ['transaction.*'],
    });

    expect(cut).toBe(true);
    expect(page).toMatchObject({ ok: false, refusals: [{ kind: 'CursorExpired' }] });
  });
});

/** Inserts 650 events at once. */
const MANY = `
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
    SELECT $1, gen_random_uuid(), 'test.n' || n, 'test', 't', '{}', $2 FROM generate_series(1, 650) AS n`;
