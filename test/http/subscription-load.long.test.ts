import { describe, expect, it } from '@jest/globals';
import type { FeedLane, FeedRow } from '../../src/platform/feed/feed-tail.ts';
import { startTestServer } from '../support/server.ts';
import { createFeed, subscribe, until, type Changed } from './fake-feed.ts';
import { connectRawSocket } from './raw-socket.ts';

describe('a client that stops reading', () => {
  const PING_MS = 8_000;
  const rowAt = (sequence: bigint): FeedRow => ({
    merchantAccountId: 'default',
    sequence,
    id: '01a1ff86-5616-72cd-a34d-87673be76a66',
    name: 'test.endless',
    targetType: 'test',
    targetId: 't',
    payload: 'x'.repeat(1_000),
    createdAt: new Date(),
    cursor: `place-${sequence}`,
  });

  it('is read only as far as the buffers of the network reach, and is cut off after two pings', async () => {
    let handedOut = 0;
    const endless: FeedLane['after'] = (sequence) => {
      handedOut += 100;
      return Array.from({ length: 100 }, (_, index) => rowAt(sequence + BigInt(index) + 1n));
    };
    const changed: Changed = async (_, signal) => {
      await new Promise((resolve) => setImmediate(resolve));
      return !signal.aborted;
    };
    const feed = createFeed(endless, changed);
    const server = await startTestServer({ feedTail: feed.feedTail, websocketPingMs: PING_MS });
    const socket = await connectRawSocket(server.url, server.token);
    // Fifteen times the payload: 15 kB an event.
    const wide = Array.from({ length: 14 }, (_, index) => `p${index}: payload`).join(' ');
    const startedAt = Date.now();
    socket.send(subscribe('1', `subscription { events { payload ${wide} } }`));
    socket.pause();

    await until(() => handedOut > 0);
    let before = 0;
    while (before !== handedOut) {
      before = handedOut;
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
    const stalledAfter = feed.followers() === 1 ? handedOut : null;
    await until(() => feed.followers() === 0);
    const cutAfterMs = Date.now() - startedAt;
    await server.stop();

    // Some megabytes are in the system's sockets. Without the limit the endless feed would have been read on.
    expect(stalledAfter).toBeLessThan(1_500);
    expect(cutAfterMs).toBeLessThan(3 * PING_MS);
  });
});

describe('subscribers without events', () => {
  it('need the same few statements for one as for two hundred', async () => {
    const server = await startTestServer();
    const requested: (string | null)[] = [];
    for (const db of [server.app.db, server.app.readDb]) {
      const query = db.query.bind(db);
      const counting: typeof db.query = (statement) => {
        requested.push(statement.name);
        return query(statement);
      };
      Object.assign(db, { query: counting });
    }
    const sockets = [
      await connectRawSocket(server.url, server.token),
      await connectRawSocket(server.url, server.token),
    ];
    const started = (count: number) =>
      until(() => requested.filter((name) => name === 'feed_bounds' || name === 'feed_head').length >= count);
    const idleFor2s = async (): Promise<(string | null)[]> => {
      // All subscribers have read their start when only the common reader reads.
      await until(async () => {
        requested.length = 0;
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        return requested.length > 0 && requested.every((name) => name === 'feed_lanes');
      }, 'the start of the subscribers');
      requested.length = 0;
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      return requested.splice(0);
    };

    sockets[0]?.send(subscribe('0'));
    await started(1);
    const one = await idleFor2s();
    for (const socket of sockets) for (let id = 1; id <= 99; id += 1) socket.send(subscribe(String(id)));
    sockets[1]?.send(subscribe('100'));
    await started(199);
    const twoHundred = await idleFor2s();

    for (const socket of sockets) socket.close();
    await server.stop();
    expect(new Set([...one, ...twoHundred])).toEqual(new Set(['feed_lanes']));
    // One every 250 ms.
    expect(one.length).toBeLessThanOrEqual(9);
    expect(twoHundred.length).toBeLessThanOrEqual(9);
  });
});
