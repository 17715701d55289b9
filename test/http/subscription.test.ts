import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createFeed, subscribe, until } from './fake-feed.ts';
import { connectRawSocket, type RawSocket } from './raw-socket.ts';

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
