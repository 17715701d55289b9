import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { FeedLane, FeedRow, FeedTail } from '../../src/platform/feed-tail.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { connectRawSocket, type RawSocket } from './raw-socket.ts';

type Changed = FeedLane['changed'];

/** Creates a feed whose test announces new events. Counts its followers. */
function createFeed(after: FeedLane['after'] = () => [], changed?: Changed) {
  let followers = 0;
  let fail: (fault: Error) => void = () => undefined;
  const lane: FeedLane = {
    after,
    changed:
      changed ??
      ((_sequence, signal) =>
        new Promise((resolve, reject) => {
          fail = reject;
          signal.addEventListener('abort', () => resolve(false));
        })),
    leave: () => void (followers -= 1),
  };
  const feedTail: FeedTail = {
    join: () => {
      followers += 1;
      return lane;
    },
    poke: () => undefined,
    stop: () => Promise.resolve(),
  };
  return { feedTail, followers: () => followers, fail: (fault: Error) => fail(fault) };
}

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('a subscription', () => {
  let feed: ReturnType<typeof createFeed>;
  let server: TestServer;
  let socket: RawSocket;
  beforeEach(async () => {
    feed = createFeed();
    server = await startTestServer({ feedTail: feed.feedTail });
    socket = await connectRawSocket(server.url, server.token);
    socket.send({ id: '1', type: 'subscribe', payload: { query: 'subscription { events { id } }' } });
    await until(() => feed.followers() === 1);
  });
  afterEach(async () => {
    socket.close();
    await server.stop();
  });

  it('ends its source at once when the client completes it, without any event', async () => {
    socket.send({ id: '1', type: 'complete' });

    await until(() => feed.followers() === 0);
  });

  it('ends its source when the socket closes', async () => {
    socket.close();

    await until(() => feed.followers() === 0);
  });

  it('ends its source when the server drains', async () => {
    await server.http.close();

    await until(() => feed.followers() === 0);
  });

  it('is ended by a fault of its source, masked, and does not affect others on the socket', async () => {
    feed.fail(new Error('secret'));
    const ended = await socket.next();
    socket.send({ id: '2', type: 'subscribe', payload: { query: '{ __typename }' } });
    const other = await socket.next();

    expect(ended).toEqual({
      id: '1',
      type: 'error',
      payload: [
        {
          message: expect.stringMatching(
            /^Something went wrong here\. Ask the operator about request [0-9a-f-]{36}\.$/,
          ),
          extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: expect.any(String) },
        },
      ],
    });
    expect(server.logs()).toContain('"message":"secret"');
    expect(other).toMatchObject({ id: '2', type: 'next' });
  });
});

const subscribe = (id: string, query = 'subscription { events { id } }') => ({
  id,
  type: 'subscribe',
  payload: { query },
});

describe('subscriptions of a merchant account', () => {
  it('are 1000 at a time in a process, however others ended, and another account has a limit of its own', async () => {
    const feed = createFeed();
    const server = await startTestServer({ feedTail: feed.feedTail });
    const stranger = await server.createMerchantAccount();
    const open = (token: string) => connectRawSocket(server.url, token);
    const sockets = await Promise.all(Array.from({ length: 10 }, () => open(server.token)));
    const [beyond, other] = await Promise.all([open(server.token), open(stranger.token)]);
    for (const each of sockets) for (let id = 1; id <= 100; id += 1) each.send(subscribe(String(id)));
    await until(() => feed.followers() === 1_000);

    beyond.send(subscribe('1'));
    const refusal = await beyond.next();
    const end = await beyond.next();
    other.send(subscribe('1'));
    await until(() => feed.followers() === 1_001);
    sockets[0]?.send({ id: '1', type: 'complete' });
    await until(() => feed.followers() === 1_000);
    beyond.send(subscribe('2'));
    await until(() => feed.followers() === 1_001);
    sockets[1]?.close();
    await until(() => feed.followers() === 901);
    beyond.send(subscribe('3'));
    await until(() => feed.followers() === 902);

    for (const each of [...sockets, beyond, other]) each.close();
    await server.stop();
    const message = 'The merchant account has too many subscriptions. End some, or try again later.';
    expect(refusal).toEqual({
      id: '1',
      type: 'next',
      payload: { errors: [{ message, extensions: { code: 'TOO_MANY_SUBSCRIPTIONS' } }] },
    });
    expect(end).toEqual({ id: '1', type: 'complete' });
  });
});

describe('a client that stops reading', () => {
  const PING_MS = 2_000;
  const rowAt = (sequence: bigint): FeedRow => ({
    merchantAccountId: 'default',
    sequence,
    id: '01a1ff86-5616-72cd-a34d-87673be76a66',
    name: 'test.endless',
    targetType: 'test',
    targetId: 't',
    payload: 'x'.repeat(1_000),
    createdAt: new Date(),
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
    expect(cutAfterMs).toBeLessThan(2 * PING_MS + 1_500);
  });
});

describe('subscribers without events', () => {
  it('need the same few statements for one as for two hundred', async () => {
    const server = await startTestServer();
    const { db } = server.app;
    const query = db.query.bind(db);
    const asked: (string | null)[] = [];
    const counting: typeof db.query = (statement) => {
      asked.push(statement.name);
      return query(statement);
    };
    Object.assign(db, { query: counting });
    const sockets = [
      await connectRawSocket(server.url, server.token),
      await connectRawSocket(server.url, server.token),
    ];
    const started = (count: number) =>
      until(() => asked.filter((name) => name === 'feed_bounds' || name === 'feed_head').length >= count);
    const idleFor2s = async (): Promise<(string | null)[]> => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      asked.length = 0;
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      return asked.splice(0);
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
