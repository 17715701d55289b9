import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/app.ts';
import {
  createRelayHint,
  createWebhookEndpoint,
  FEED_CHANNEL,
  oldestWaitingEvent,
  PENDING_CHANNEL,
  startRelay,
} from '../../src/modules/events/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { createListener } from '../../src/platform/feed/listen.ts';
import { deliveriesWithNames } from './deliveries-with-names.ts';
import { openSideDb, pause, recordNamed, startEvents, until, type EventsHarness } from './harness.ts';

let harness: EventsHarness;
beforeAll(async () => void (harness = await startEvents()));
afterAll(() => harness.stop());

const relayed = (): Promise<void> =>
  until(async () => (await oldestWaitingEvent(harness.app)) === null, 'the relay');
const upTo = (count: number): bigint[] => Array.from({ length: count }, (_, index) => BigInt(index + 1));
const namesOf = async (viewer: Viewer): Promise<string[]> =>
  (await harness.feed(viewer)).map(({ name }) => name);

describe('the relay', () => {
  it('gives dense sequences per merchant account to concurrent writers, with rollbacks and two relays at once', async () => {
    const other = await harness.another();
    const relays = [startRelay(harness.app), startRelay(other)];
    const viewers = [await harness.viewer(), await harness.viewer(), await harness.viewer()];
    const side = openSideDb(harness.url);
    const committed = new Map<string, string[]>(
      viewers.map(({ merchantAccountId }) => [merchantAccountId, []]),
    );

    const write = async (writer: number): Promise<void> => {
      for (let turn = 0; turn < 40; turn += 1) {
        const viewer = viewers[(writer + turn) % viewers.length] as Viewer;
        const name = `test.w${writer}-${turn}`;
        const rolledBack = turn % 5 === 4;
        await side
          .transaction(async (tx) => {
            await recordNamed(harness.app, tx, viewer, name);
            await pause(turn % 10 === 3 ? 60 : Math.random() * 6);
            if (rolledBack) throw new Error('rolled back');
          })
          .catch(() => undefined);
        if (!rolledBack) committed.get(viewer.merchantAccountId)?.push(name);
        relays[writer % 2]?.poke();
      }
    };
    await Promise.all(upTo(8).map((writer) => write(Number(writer))));
    await relayed();
    await Promise.all(relays.map((relay) => relay.stop()));
    await side.close();

    for (const viewer of viewers) {
      const feed = await harness.feed(viewer);
      const expected = committed.get(viewer.merchantAccountId) ?? [];
      expect(feed.map(({ sequence }) => sequence)).toEqual(upTo(expected.length));
      expect(feed.map(({ name }) => name).sort()).toEqual([...expected].sort());
    }
  });

  it('shows a reader every event even when an earlier writer commits later', async () => {
    const viewer = await harness.viewer();
    const side = openSideDb(harness.url);
    const relay = startRelay(harness.app);
    const [wrote, release] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const slow = side.transaction(async (tx) => {
      await recordNamed(harness.app, tx, viewer, 'test.slow');
      wrote.resolve(undefined);
      await release.promise;
    });
    await wrote.promise;
    await harness.record(viewer, 'test.quick');
    await until(async () => (await harness.feed(viewer)).length === 1);

    release.resolve(undefined);
    await slow;

    await until(async () => (await harness.feed(viewer)).length === 2);
    expect(await namesOf(viewer)).toEqual(['test.quick', 'test.slow']);
    await relay.stop();
    await side.close();
  });

  it('keeps the causal order of a resource when the later change has the older transaction', async () => {
    const viewer = await harness.viewer();
    const side = openSideDb(harness.url);
    const targetId = harness.app.ids.uuid();
    let authorized = (): void => undefined;
    const isAuthorized = new Promise<void>((resolve) => (authorized = resolve));

    const capture = side.transaction(async (tx) => {
      // Its transaction id is assigned here, before that of the authorisation.
      await tx.$queryRaw`SELECT pg_current_xact_id()::text`;
      await isAuthorized;
      await recordNamed(harness.app, tx, viewer, 'transaction.captured', targetId);
    });
    await side.transaction((tx) => recordNamed(harness.app, tx, viewer, 'transaction.authorized', targetId));
    authorized();
    await capture;
    const relay = startRelay(harness.app);
    await relayed();

    expect(await namesOf(viewer)).toEqual(['transaction.authorized', 'transaction.captured']);
    await relay.stop();
    await side.close();
  });

  it('moves more than one batch in order, and the feed carries the written text', async () => {
    const viewer = await harness.viewer();
    for (let from = 0; from < 1_203; from += 100) {
      await harness.app.db.transaction(async (tx) => {
        for (let index = from; index < Math.min(from + 100, 1_203); index += 1)
          await recordNamed(harness.app, tx, viewer, `test.n${index}`);
      });
    }
    const relay = startRelay(harness.app);
    await relayed();
    await relay.stop();

    const feed = await harness.feed(viewer);

    expect(feed.map(({ name }) => name)).toEqual(feed.map((_, index) => `test.n${index}`));
    expect(feed).toHaveLength(1_203);
    const [first] = feed;
    expect(first?.payload.startsWith('{"sequence":1,"version":1,"type":"event","id":"')).toBe(true);
    expect(JSON.parse(first?.payload ?? '')).toEqual({
      sequence: 1,
      version: 1,
      type: 'event',
      id: first?.id,
      name: 'test.n0',
      created_at: first?.createdAt.toISOString(),
      merchant_account_id: viewer.merchantAccountId,
      environment: 'sandbox',
      target: { type: 'transaction', id: first?.targetId, status: 'authorization_succeeded' },
    });
  });

  it('is taken over when its process freezes in the middle', async () => {
    const viewer = await harness.viewer();
    let thaw = (): void => undefined;
    const frozen = new Promise<void>((resolve) => (thaw = resolve));
    let reached = 0;
    const remove = setFailpoint('relay.moved', () => ((reached += 1) === 1 ? frozen : undefined));
    const first = startRelay(harness.app);
    await harness.record(viewer, 'test.one', 'test.two');
    await until(() => reached === 1);
    const startedAt = Date.now();

    const second = startRelay(await harness.another());
    await relayed();

    expect(await namesOf(viewer)).toEqual(['test.one', 'test.two']);
    expect(Date.now() - startedAt).toBeLessThan(20_000);
    thaw();
    remove();
    await Promise.all([first.stop(), second.stop()]);
    expect(await namesOf(viewer)).toEqual(['test.one', 'test.two']);
  });

  it('creates deliveries for the endpoints that ask for an event, and for no event before them', async () => {
    const viewer = await harness.viewer();
    const stranger = await harness.viewer();
    await harness.record(viewer, 'transaction.captured');
    await pause(2);
    const url = 'https://example.com/';
    const [all, some, gone] = [
      await harness.endpoint(viewer, url),
      await harness.endpoint(viewer, url, ['capture.succeeded', 'transaction.*']),
      await harness.endpoint(viewer, url),
    ];
    await harness.endpoint(stranger, url);
    await harness.app.db.prisma.webhookEndpoint.updateMany({
      where: { id: gone.id },
      data: { deletedAt: new Date() },
    });
    await harness.record(
      viewer,
      'transaction.voided',
      'refund.succeeded',
      'capture.succeeded',
      'transactions.other',
    );

    const relay = startRelay(harness.app);
    await relayed();
    await relay.stop();

    const deliveries = await deliveriesWithNames(harness.url, viewer);
    const of = (id: string): string[] =>
      deliveries.filter(({ endpointId }) => endpointId === id).map(({ name }) => name);
    expect(of(all.id)).toEqual([
      'transaction.voided',
      'refund.succeeded',
      'capture.succeeded',
      'transactions.other',
    ]);
    expect(of(some.id)).toEqual(['transaction.voided', 'capture.succeeded']);
    expect(deliveries).toHaveLength(6);
    const [one] = deliveries;
    expect(Number(one?.deadline) - Number(one?.createdAt)).toBe(168 * 3_600_000);
  });
});

describe('the first event for an endpoint', () => {
  it('is determined by the log and not by clocks, whichever of them is ahead', async () => {
    const hourMs = 3_600_000;
    for (const aheadMs of [hourMs, -hourMs]) {
      const viewer = await harness.viewer();
      await harness.record(viewer, 'test.before');
      const clock = { ...harness.app.clock, now: () => new Date(Date.now() + aheadMs) };
      const created = await createWebhookEndpoint(
        { ...harness.app, clock },
        viewer,
        { url: 'https://example.com/' },
        null,
      );
      await harness.record(viewer, 'test.after');
      const relay = startRelay(harness.app);
      await relayed();
      await relay.stop();

      const deliveries = await deliveriesWithNames(harness.url, viewer);
      expect(created.ok).toBe(true);
      expect(deliveries.map(({ name }) => name)).toEqual(['test.after']);
    }
  });

  it('includes a change that was written before the endpoint and committed after it, however far the log went meanwhile', async () => {
    const viewer = await harness.viewer();
    const side = openSideDb(harness.url);
    const wrote = Promise.withResolvers<undefined>();
    const release = Promise.withResolvers<undefined>();
    const slow = side.transaction(async (tx) => {
      await recordNamed(harness.app, tx, viewer, 'test.slow');
      wrote.resolve(undefined);
      await release.promise;
    });
    await wrote.promise;
    await harness.record(viewer, 'test.before');
    await harness.endpoint(viewer, 'https://example.com/');
    release.resolve(undefined);
    await slow;
    const relay = startRelay(harness.app);
    await relayed();
    await relay.stop();
    await side.close();

    const deliveries = await deliveriesWithNames(harness.url, viewer);
    expect(deliveries.map(({ name }) => name)).toEqual(['test.slow']);
  });
});

describe('hints between processes', () => {
  it('wake a relay elsewhere, and announce the feed, and the listener returns after a lost connection', async () => {
    const heard: string[] = [];
    const { clock, log } = harness.app;
    const channels = Object.fromEntries(
      [PENDING_CHANNEL, FEED_CHANNEL].map((name) => [name, () => void heard.push(name)]),
    );
    const listener = createListener({ url: harness.url, clock, log, channels });
    await until(() => heard.length === 2);
    const hint = createRelayHint(harness.app);

    hint();
    hint();
    await until(() => heard.length === 3);
    const relay = startRelay(harness.app);
    await harness.record(await harness.viewer(), 'test.one');
    await until(() => heard.length === 4);
    await harness.app.db.query({
      name: 'cut',
      text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'paygraph listen' AND datname = current_database()`,
      values: [],
    });

    // Called once for each channel after a reconnection, because a hint may have been missed.
    await until(() => heard.length === 6);
    expect(heard.slice(2, 4)).toEqual([PENDING_CHANNEL, FEED_CHANNEL]);
    await relay.stop();
    await listener.stop();
  });
});
