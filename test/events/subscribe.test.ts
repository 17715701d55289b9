import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/app.ts';
import { encodeCursor } from '../../src/kernel/page.ts';
import {
  createFeedTail,
  startRelay,
  subscribeEvents,
  type FeedEvent,
} from '../../src/modules/events/index.ts';
import type { Db } from '../../src/platform/database/db.ts';
import type { Loop } from '../../src/platform/loop.ts';
import { pause, startEvents, until, type EventsHarness } from './harness.ts';
import { subscribe, take } from './subscribing.ts';

let harness: EventsHarness;
let relay: Loop;
beforeAll(async () => {
  harness = await startEvents();
  relay = startRelay(harness.app);
});
afterAll(async () => {
  await relay.stop();
  await harness.stop();
});

const namesOf = (events: readonly FeedEvent[]): string[] => events.map(({ name }) => name);
const relayed = (viewer: Viewer, count: number): Promise<void> =>
  until(async () => (await harness.feed(viewer)).length === count, 'the feed');

describe('a subscription', () => {
  it('begins now, at the beginning, or behind a cursor', async () => {
    const viewer = await harness.viewer();
    await harness.record(viewer, 'test.a', 'test.b');
    await relayed(viewer, 2);
    const now = await subscribe(harness.app, viewer);
    const begin = await subscribe(harness.app, viewer, { after: 'BEGIN' });
    const behind = await subscribe(harness.app, viewer, { after: (await harness.feed(viewer))[0]?.cursor });

    await harness.record(viewer, 'test.c');

    expect(namesOf(await take(now, 1))).toEqual(['test.c']);
    expect(namesOf(await take(begin, 3))).toEqual(['test.a', 'test.b', 'test.c']);
    expect(namesOf(await take(behind, 2))).toEqual(['test.b', 'test.c']);
    await Promise.all([now, begin, behind].map((events) => events.return()));
  });

  it('delivers the same events as the query, and only those with the requested names', async () => {
    const [viewer, stranger] = [await harness.viewer(), await harness.viewer()];
    const events = await subscribe(harness.app, viewer, { types: ['transaction.*'] });
    const taking = take(events, 2);
    await harness.record(stranger, 'transaction.captured');
    await harness.record(viewer, 'transaction.captured', 'refund.succeeded', 'transaction.voided');

    const taken = await taking;

    expect(taken).toEqual((await harness.feed(viewer)).filter(({ name }) => name !== 'refund.succeeded'));
    expect(namesOf(taken)).toEqual(['transaction.captured', 'transaction.voided']);
    await events.return();
  });

  it('shows a client that reconnects with its last cursor every event once, in order', async () => {
    const viewer = await harness.viewer();
    const total = 400;
    const writing = Promise.all(
      [0, 1, 2, 3].map(async (writer) => {
        for (let turn = 0; turn < total / 4; turn += 1) await harness.record(viewer, `test.w${writer}`);
      }),
    );
    const seen: FeedEvent[] = [];
    for (let round = 0; seen.length < total; round += 1) {
      // Each run uses another process, so that the test does not depend on the memory of one.
      const feedTail = createFeedTail(harness.app);
      const events = await subscribe({ ...harness.app, feedTail }, viewer, {
        after: seen.at(-1)?.cursor ?? 'BEGIN',
      });
      seen.push(...(await take(events, Math.min(1 + ((round * 7) % 23), total - seen.length))));
      await events.return();
      await feedTail.stop();
    }
    await writing;

    expect(seen.map(({ sequence }) => Number(sequence))).toEqual(seen.map((_, index) => index + 1));
    expect(seen).toEqual(await harness.feed(viewer));
  });

  it('ends at once while waiting, and leaves nothing running', async () => {
    const viewer = await harness.viewer();
    const events = await subscribe(harness.app, viewer);
    const waiting = events.next();
    await pause(20);

    const ended = await events.return();

    expect(ended).toEqual({ done: true, value: undefined });
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it('ends when the process stops', async () => {
    const viewer = await harness.viewer();
    const feedTail = createFeedTail(harness.app);
    const events = await subscribe({ ...harness.app, feedTail }, viewer);
    const waiting = events.next();
    await pause(20);

    await feedTail.stop();

    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it('needs one reader for many subscribers', async () => {
    const viewers = [await harness.viewer(), await harness.viewer()];
    const queries: (string | null)[] = [];
    const db: Db = {
      ...harness.app.db,
      query: (statement) => {
        queries.push(statement.name);
        return harness.app.db.query(statement);
      },
    };
    const app = { ...harness.app, db, feedTail: createFeedTail({ ...harness.app, db }) };
    const all = await Promise.all(
      Array.from({ length: 200 }, (_, index) => subscribe(app, viewers[index % 2] as Viewer)),
    );
    const taking = all.map((events) => take(events, 3));
    // Each subscriber has read its start when only the common reader reads.
    await until(async () => {
      queries.length = 0;
      await pause(300);
      return queries.length > 0 && queries.every((name) => name === 'feed_lanes');
    }, 'the start of all subscribers');
    queries.length = 0;

    for (const name of ['test.a', 'test.b', 'test.c']) {
      await harness.record(viewers[0] as Viewer, name);
      await harness.record(viewers[1] as Viewer, name);
    }
    const taken = await Promise.all(taking);

    expect(taken.every((events) => namesOf(events).join() === 'test.a,test.b,test.c')).toBe(true);
    expect(new Set(queries)).toEqual(new Set(['feed_lanes']));
    expect(queries.length).toBeLessThan(100);
    await Promise.all(all.map((events) => events.return()));
    await app.feedTail.stop();
  });

  it('refuses a cursor ahead of the feed, a foreign one and an invalid name', async () => {
    const viewer = await harness.viewer();
    const key = `feed.${viewer.merchantAccountId}`;

    expect(await subscribeEvents(harness.app, viewer, { after: encodeCursor(`${key}.1`) })).toEqual({
      ok: false,
      refusals: [{ kind: 'CursorAhead' }],
    });
    expect(await subscribeEvents(harness.app, viewer, { after: encodeCursor('feed.other.0') })).toMatchObject(
      {
        ok: false,
        refusals: [{ kind: 'InvalidInput', path: ['after'] }],
      },
    );
    expect(await subscribeEvents(harness.app, viewer, { types: ['x'] })).toMatchObject({
      ok: false,
      refusals: [{ kind: 'InvalidInput', path: ['types', '0'] }],
    });
    expect(
      await subscribeEvents(harness.app, viewer, { types: ['transaction.*', 'transaction.voidd'] }),
    ).toMatchObject({
      ok: false,
      refusals: [
        {
          ...{ kind: 'InvalidInput', path: ['types', '1'] },
          message: expect.stringContaining('Did you mean transaction.voided?'),
        },
      ],
    });
  });
});
