import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import WebSocket from 'ws';
import {
  PaygraphError,
  subscribeToEvents,
  type ConnectionStatus,
  type FeedEvent,
} from '../../src/client/index.ts';
import { recordNamed } from '../events/harness.ts';
import { sequencesOf, startClientHarness, take, watchHead, type ClientHarness } from './harness.ts';

let harness: ClientHarness;
beforeAll(async () => {
  harness = await startClientHarness();
});
afterAll(() => harness.stop());

const refusalOf = async (events: AsyncGenerator<FeedEvent, void>): Promise<unknown> =>
  events.next().then(
    (next) => next,
    (error: unknown) => error,
  );

const reasonOr = (status: ConnectionStatus): string => ('reason' in status ? status.reason : status.state);

describe('subscribeToEvents', () => {
  let head = 0;
  const record = async (count: number): Promise<void> => {
    await harness.record(count, head + 1);
    head += count;
  };

  it('delivers the events from the beginning, behind a cursor, and from now on', async () => {
    await record(3);
    const all = harness.follow({ after: 'BEGIN' });
    const first = await take(all, 3);
    const behind = harness.follow({ after: first[1]?.cursor });
    const { webSocketImpl, head: headIsKnown } = watchHead();
    const now = harness.follow({ webSocketImpl });
    const waiting = now.next();
    await take(behind, 1);
    await headIsKnown;

    await record(1);

    expect(sequencesOf(first)).toEqual([1, 2, 3]);
    expect(first[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'test.1',
      sequence: 1,
      cursor: expect.any(String),
      target: { type: 'test', id: expect.any(String) },
      payload: expect.stringMatching(/^{"sequence":1,"version":1,"type":"event"/),
      createdAt: expect.any(String),
    });
    expect(sequencesOf(await take(all, 1))).toEqual([4]);
    expect(sequencesOf(await take(behind, 1))).toEqual([4]);
    expect(await waiting).toMatchObject({ value: { sequence: 4 } });
    await Promise.all([all, behind, now].map((events) => events.return()));
  });

  it('delivers only the requested types, with the requested fields', async () => {
    const { app, merchantAccountId } = harness.server;
    for (const name of ['refund.pending', 'capture.pending', 'refund.succeeded', 'capture.succeeded'])
      await app.db.transaction((tx) => recordNamed(app, tx, { merchantAccountId }, name));
    head += 4;
    const events = subscribeToEvents<{ readonly again: string }>({
      url: `${harness.server.url}/graphql`,
      token: () => harness.server.mint(),
      webSocketImpl: WebSocket,
      after: 'BEGIN',
      types: ['capture.pending', 'capture.succeeded'],
      selection: 'again: name',
    });

    const taken = await take(events, 2);
    await events.return();

    expect(taken.map(({ name }) => name)).toEqual(['capture.pending', 'capture.succeeded']);
    expect(taken).toMatchObject([{ again: 'capture.pending' }, { again: 'capture.succeeded' }]);
  });

  it('hands each event to onEvent after the end of the previous call, and resolves when it is aborted', async () => {
    const abort = new AbortController();
    const log: string[] = [];

    await subscribeToEvents({
      url: `${harness.server.url}/graphql`,
      token: () => harness.server.mint(),
      after: 'BEGIN',
      signal: abort.signal,
      onEvent: async ({ sequence }) => {
        log.push(`begin ${sequence}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        log.push(`end ${sequence}`);
        if (sequence === 3) abort.abort();
      },
    });

    expect(log).toEqual([1, 2, 3].flatMap((nth) => [`begin ${nth}`, `end ${nth}`]));
  });

  it('rejects with the error of onEvent, and closes its socket', async () => {
    const running = subscribeToEvents({
      url: `${harness.server.url}/graphql`,
      token: () => harness.server.mint(),
      webSocketImpl: WebSocket,
      after: 'BEGIN',
      onEvent: () => Promise.reject(new Error('The consumer failed.')),
    });

    await expect(running).rejects.toThrow('The consumer failed.');
  });

  it('ends at once, without an error, when it is aborted while it waits, connects, or pauses', async () => {
    const port = new URL(harness.server.url).port;
    const urls = [
      `${harness.server.url}/graphql`,
      `ws://127.0.0.1:${port}/graphql`,
      'http://127.0.0.1:9/graphql',
    ];
    const ends = urls.map(async (url) => {
      const abort = new AbortController();
      const statuses: ConnectionStatus[] = [];
      const events = harness.follow({
        url,
        signal: abort.signal,
        retry: { firstMs: 60_000 },
        onStatus: (status) => statuses.push(status),
      });
      const waiting = events.next();
      while (statuses.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
      abort.abort();
      return { next: await waiting, states: statuses.map(reasonOr) };
    });

    const ended = { done: true, value: undefined };
    expect(await Promise.all(ends)).toEqual([
      { next: ended, states: ['connecting', 'connected'] },
      { next: ended, states: ['connecting', 'connected'] },
      { next: ended, states: ['connecting', expect.stringMatching(/ECONNREFUSED/)] },
    ]);
  });

  it('keeps its socket when an answer and its end arrive together', async () => {
    let sockets = 0;
    const together = Promise.withResolvers<undefined>();
    class Together extends WebSocket {
      constructor(url: string, protocol: string) {
        super(url, protocol);
        sockets += 1;
        Object.defineProperty(this, 'onmessage', { set: this.hearTogether.bind(this) });
      }
      hearTogether(hear: (event: { readonly data: string }) => void): void {
        const held: { readonly data: string }[] = [];
        this.on('message', (bytes: Buffer) => {
          held.push({ data: bytes.toString() });
          if (bytes.includes('"head"')) return;
          if (held.length > 1) together.resolve(undefined);
          held.splice(0).forEach(hear);
        });
      }
    }
    const states: string[] = [];
    const events = harness.follow({
      webSocketImpl: Together,
      onStatus: (status) => states.push(reasonOr(status)),
    });
    const waiting = events.next();
    await together.promise;
    await new Promise((resolve) => setTimeout(resolve, 150));
    await record(1);

    expect(await waiting).toMatchObject({ value: { sequence: head } });
    expect({ sockets, states }).toEqual({ sockets: 1, states: ['connecting', 'connected'] });
    await events.return();
  });

  it('misses no event before its first one, even when the socket is lost', async () => {
    const sockets: WebSocket[] = [];
    const headIsKnown = Promise.withResolvers<undefined>();
    class Watched extends WebSocket {
      constructor(url: string, protocol: string) {
        super(url, protocol);
        sockets.push(this);
        this.on('message', (bytes: Buffer) => bytes.includes('"head"') && headIsKnown.resolve(undefined));
      }
    }
    const states: string[] = [];
    const events = harness.follow({
      webSocketImpl: Watched,
      retry: { firstMs: 300 },
      onStatus: ({ state }) => states.push(state),
    });
    const waiting = events.next();
    await headIsKnown.promise;
    expect(states.at(-1)).toBe('connected');

    sockets[0]?.terminate();
    await record(1);

    expect(await waiting).toMatchObject({ value: { sequence: head } });
    expect(sockets).toHaveLength(2);
    await events.return();
  });
});

describe('subscribeToEvents ends with an error', () => {
  it.each([
    ['a token that is no token', { token: () => 'nonsense' }, 'UNAUTHENTICATED'],
    ["a merchant account that is not the token's", { merchantAccountId: 'nobody' }, 'FORBIDDEN'],
    ['a cursor that is none', { after: 'nonsense' }, 'INVALID_INPUT'],
    ['a bad pattern', { types: ['x'] }, 'INVALID_INPUT'],
    ['a name that no event has', { types: ['transaction.capturd'] }, 'INVALID_INPUT'],
    ['a field that there is not', { selection: 'nope' }, 'GRAPHQL_VALIDATION_FAILED'],
  ])('for %s', async (_, options, code) => {
    const refusal = await refusalOf(harness.follow(options));

    expect(refusal).toBeInstanceOf(PaygraphError);
    expect(refusal).toMatchObject({ code, message: expect.stringMatching(/\w/) });
  });

  it('for a token without the scope, and without the scope of a field', async () => {
    const without = await refusalOf(
      harness.follow({ token: () => harness.server.mint({ scopes: ['transactions.read'] }) }),
    );
    const ahead = Buffer.from(`feed.${harness.server.merchantAccountId}.999999`).toString('base64url');
    const beyond = await refusalOf(harness.follow({ after: `c1.${ahead}` }));

    expect(without).toMatchObject({ code: 'FORBIDDEN', message: 'The token lacks the scope events.read.' });
    expect(beyond).toMatchObject({ code: 'CURSOR_AHEAD' });
  });

  it('for a cursor before the oldest kept event, with the cursor to continue from', async () => {
    const events = harness.follow({ after: 'BEGIN' });
    const [first] = await take(events, 1);
    await events.return();
    await harness.server.app.db.query({
      name: 'floor',
      text: 'UPDATE feed_head SET floor = 2 WHERE merchant_account_id = $1',
      values: [harness.server.merchantAccountId],
    });

    const refusal = await refusalOf(harness.follow({ after: first?.cursor }));

    expect(refusal).toMatchObject({ code: 'CURSOR_EXPIRED' });
    const { earliestCursor } = (refusal as PaygraphError).extensions;
    const again = harness.follow({ after: String(earliestCursor) });
    expect(sequencesOf(await take(again, 1))).toEqual([3]);
    await again.return();
  });

  it('that the token function throws at first', async () => {
    const refusal = await refusalOf(harness.follow({ token: () => Promise.reject(new Error('No key.')) }));

    expect(refusal).toMatchObject({ message: 'No key.' });
  });

  it('at once for an invalid address', () => {
    expect(() => harness.follow({ url: 'nonsense' })).toThrow('Invalid URL');
    expect(() => harness.follow({ url: 'ftp://x/' })).toThrow('The url must begin with http or ws.');
  });
});
