import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createFeed, until } from './fake-feed.ts';
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
    expect(server.logs()).toContain('"exception.message":"secret"');
    expect(other).toMatchObject({ id: '2', type: 'next' });
  });
});
