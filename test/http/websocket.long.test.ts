import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';
import { connectRawSocket, openRawSocket } from './raw-socket.ts';

const SUBSCRIPTION = 'subscription { events { id } }';
const INIT = { type: 'connection_init' };

describe('a websocket is closed', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ settings: { PAYGRAPH_ALLOWED_ORIGINS: 'https://dashboard.example' } });
  });
  afterAll(() => server.stop());
  const open = () => openRawSocket(server.url);

  it('with 4403 when its token expires', async () => {
    const token = await server.mint({ lifetimeS: 2 });
    const socket = await connectRawSocket(server.url, token);
    const before = Date.now();

    expect(await socket.closed).toEqual({ code: 4403, reason: 'The token is no longer valid' });
    expect(Date.now() - before).toBeLessThan(20_000);
  });

  it('with 4408 after three seconds without a message', async () => {
    const socket = await open();

    expect(await socket.closed).toMatchObject({ code: 4408 });
  });

  it('with 1013, to try again later, beyond 50 of a merchant account, until one of them is gone', async () => {
    const { token } = await server.createMerchantAccount();
    const sockets = await Promise.all(Array.from({ length: 50 }, () => connectRawSocket(server.url, token)));
    const beyond = await open();
    beyond.send({ ...INIT, payload: { authorization: `Bearer ${token}` } });
    expect(await beyond.closed).toEqual({
      code: 1013,
      reason: 'Too many connections of this merchant account',
    });

    sockets[0]?.close();
    await sockets[0]?.closed;
    const next = await connectRawSocket(server.url, token);

    for (const socket of [...sockets, next]) socket.close();
  });
});

describe('a websocket', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ settings: { PAYGRAPH_ALLOWED_ORIGINS: 'https://dashboard.example' } });
  });
  afterAll(() => server.stop());

  it('runs 100 operations at a time', async () => {
    const socket = await connectRawSocket(server.url, server.token);
    for (let id = 1; id <= 101; id += 1) {
      socket.send({ id: String(id), type: 'subscribe', payload: { query: SUBSCRIPTION } });
    }
    const refusal = await socket.next();
    socket.send({ id: '1', type: 'complete' });
    socket.send({ id: 'next', type: 'subscribe', payload: { query: '{ __typename }' } });
    const answer = await socket.next();
    socket.close();

    expect(refusal).toEqual({
      id: '101',
      type: 'error',
      payload: [
        {
          message: 'At most 100 operations run on one connection at a time.',
          extensions: { code: 'TOO_MANY_OPERATIONS' },
        },
      ],
    });
    expect(answer).toEqual({ id: 'next', type: 'next', payload: { data: { __typename: 'Query' } } });
  });
});
