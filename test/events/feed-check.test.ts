import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/app.ts';
import { checkFeedPart } from '../../src/modules/events/log/feed-check.ts';
import { feedCheckCounts, startFeedCheck, startRelay } from '../../src/modules/events/index.ts';
import { query } from '../support/database.ts';
import { startTestServer } from '../support/server.ts';
import { deliveriesWithNames } from './deliveries-with-names.ts';
import { openSideDb, pause, recordNamed, startEvents, until, type EventsHarness } from './harness.ts';
import { relayAll } from '../support/relay-all.ts';
import { LOSE_WAITING } from '../support/waiting-events.ts';

let harness: EventsHarness;
const notified: string[] = [];
beforeAll(async () => {
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined };
  const error = (_: object, message: string): void => void notified.push(message);
  harness = await startEvents({ log: { ...log, error, child: () => harness.app.log } as never });
});
afterAll(() => harness.stop());

const relayed = async (): Promise<void> => {
  await relayAll(harness.app);
};
const check = (): Promise<void> => checkFeedPart(harness.app, { after: 0n, until: 10_000n });
const sequences = async (viewer: Viewer): Promise<number[]> =>
  (await harness.feed(viewer)).map(({ sequence }) => Number(sequence));

describe('the feed check', () => {
  it('finds no fault while writers, the relay and a slow transaction are at work', async () => {
    const viewer = await harness.viewer();
    await harness.endpoint(viewer, 'https://example.com/');
    const side = openSideDb(harness.url);
    const relay = startRelay(harness.app);
    const writing = Promise.all(
      [1, 2, 3, 4].map(async (writer) => {
        for (let turn = 0; turn < 25; turn += 1) {
          await side.transaction(async (tx) => {
            await recordNamed(harness.app, tx, viewer, `test.w${writer}`);
            await pause(turn % 8 === 0 ? 40 : 1);
          });
        }
      }),
    );
    let rounds = 0;
    const state = { writing: true };
    void writing.then(() => (state.writing = false));
    while (state.writing) {
      await check();
      rounds += 1;
    }
    await until(async () => (await sequences(viewer)).length === 100);
    await relay.stop();
    await side.close();
    await check();

    expect(rounds).toBeGreaterThan(3);
    expect(feedCheckCounts(harness.app)).toEqual({ missedEvents: 0, missedDeliveries: 0 });
    expect(notified).toEqual([]);
  });

  it('publishes an event that the cursor passed by, once, counts the event and logs a warning', async () => {
    const viewer = await harness.viewer();
    await harness.record(viewer, 'transaction.authorized', 'transaction.captured', 'transaction.voided');
    await query(
      harness.url,
      `UPDATE log_cursor SET position = l.position, missing = '{}', young = int8multirange(
         int8range(l.position - 2, l.position - 2, '[]'), int8range(l.position, l.position, '[]'))
       FROM (SELECT max(position) AS position FROM event) l WHERE name = 'feed'`,
    );
    const other = await harness.another();
    const before = feedCheckCounts(harness.app).missedEvents + feedCheckCounts(other).missedEvents;

    await Promise.all([check(), checkFeedPart(other, { after: 0n, until: 10_000n })]);
    await relayed();
    await check();

    expect(feedCheckCounts(harness.app).missedEvents + feedCheckCounts(other).missedEvents - before).toBe(1);
    expect(notified).toContain('Events were missing in the feed. The relay will publish them.');
    expect((await harness.feed(viewer)).map(({ name }) => name)).toEqual([
      'transaction.authorized',
      'transaction.captured',
      'transaction.voided',
    ]);
    expect(await sequences(viewer)).toEqual([1, 2, 3]);
  });

  it('creates a missing delivery, but none for an endpoint that was changed since or did not ask for the event', async () => {
    const viewer = await harness.viewer();
    await harness.record(viewer, 'transaction.void-declined');
    const url = 'https://example.com/';
    const old = await harness.endpoint(viewer, url, ['transaction.authorized']);
    const changed = await harness.endpoint(viewer, url);
    await query(
      harness.url,
      `UPDATE webhook_endpoint SET updated_at = now() - interval '1 hour' WHERE id = $1`,
      [old.id],
    );
    await harness.record(viewer, 'transaction.authorized', 'transaction.captured');
    await relayed();
    await query(harness.url, 'DELETE FROM delivery WHERE merchant_account_id = $1', [
      viewer.merchantAccountId,
    ]);
    const before = feedCheckCounts(harness.app).missedDeliveries;

    await check();
    await check();

    expect(feedCheckCounts(harness.app).missedDeliveries - before).toBe(1);
    const made = await deliveriesWithNames(harness.url, viewer);
    expect(made.map(({ endpointId, state, name }) => [endpointId, state, name])).toEqual([
      [old.id, 'pending', 'transaction.authorized'],
    ]);
    expect(changed.id).not.toBe(old.id);
    expect(notified).toContain('Deliveries to webhook endpoints were missing. They are now queued.');
  });

  it('runs by itself', async () => {
    const viewer = await harness.viewer();
    await harness.record(viewer, 'transaction.authorized');
    await query(harness.url, LOSE_WAITING);
    const relay = startRelay(harness.app);
    const loop = startFeedCheck(harness.app);

    await until(async () => (await sequences(viewer)).length === 1, 'the feed check');

    await loop.stop();
    await relay.stop();
  });
});

describe('its metrics', () => {
  it('are 0 in a healthy service, with the relay keeping up', async () => {
    const server = await startTestServer({ settings: { PAYGRAPH_METRICS: 'true' } });
    const lines = (await (await fetch(`${server.url}/metrics`)).text()).split('\n');
    await server.stop();

    expect(lines).toEqual(
      expect.arrayContaining([
        'paygraph_events_missed_total 0',
        'paygraph_deliveries_missed_total 0',
        'paygraph_relay_lag_seconds 0',
      ]),
    );
  });

  it('count missed events, and report how long an event waits', async () => {
    const server = await startTestServer({
      settings: { PAYGRAPH_METRICS: 'true', PAYGRAPH_ROLES: 'api' },
    });
    const { app, merchantAccountId } = server;
    const metric = async (name: string): Promise<number> => {
      const text = await (await fetch(`${server.url}/metrics`)).text();
      return Number(new RegExp(`^paygraph_${name} (.*)$`, 'm').exec(text)?.[1]);
    };
    const all = { after: 0n, until: 10_000n };
    const minutesAgo = new Date(Date.now() - 5 * 60_000);
    await server.graphql(
      'mutation { createWebhookEndpoint(input: { url: "https://example.com/", eventNames: ["transaction.*"] }) { userErrors { code } } }',
    );
    await app.db.prisma.webhookEndpoint.updateMany({ data: { updatedAt: minutesAgo } });
    const earlier = { ...app, clock: { ...app.clock, now: () => minutesAgo } };
    await app.db.transaction((tx) =>
      recordNamed(earlier, tx, { merchantAccountId }, 'transaction.authorized'),
    );

    expect(await metric('relay_lag_seconds')).toBeGreaterThanOrEqual(5 * 60);
    await query(app.config.DATABASE_URL ?? '', LOSE_WAITING);
    await checkFeedPart(app, all);
    expect(await metric('events_missed_total')).toBeGreaterThan(0);

    await relayAll(app);
    await app.db.prisma.delivery.deleteMany();
    await checkFeedPart(app, all);
    expect(await metric('deliveries_missed_total')).toBe(1);
    await server.stop();
  });
});
