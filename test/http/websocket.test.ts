import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from 'graphql-ws';
import { startTestServer, type AskOptions, type TestServer } from '../support/server.ts';
import { connectRawSocket, openRawSocket } from './raw-socket.ts';

const SUBSCRIPTION = 'subscription { events { id } }';
const INIT = { type: 'connection_init' };

describe.each(['compiled', 'reference'])('GraphQL over websockets, %s executor', (executor) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ settings: { PAYGRAPH_EXECUTOR: executor } });
  });
  afterAll(() => server.stop());

  const first = async (client: Client, query: string): Promise<unknown> => {
    for await (const result of client.iterate({ query })) return result;
    throw new Error('Nothing was answered.');
  };
  const run = async (query: string, options?: AskOptions): Promise<unknown> => {
    const client = server.socket(options);
    try {
      return await first(client, query);
    } catch (refused) {
      return refused instanceof Error ? refused : { refused: { ...(refused as object) } };
    } finally {
      await client.dispose();
    }
  };

  it('answers queries and mutations', async () => {
    const mutation = `mutation { createMerchantAccount(input: { id: "over-socket", displayName: "S" }, idempotencyKey: "s") {
      merchantAccount { id } userErrors { code } replayed } }`;
    const query = '{ merchantAccount(id: "over-socket") { displayName } }';
    const created = { merchantAccount: { id: 'over-socket' }, userErrors: [] };

    expect(await run(mutation)).toEqual({ data: { createMerchantAccount: { ...created, replayed: false } } });
    expect(await run(mutation)).toEqual({ data: { createMerchantAccount: { ...created, replayed: true } } });
    for (let round = 0; round < 3; round += 1) {
      expect(await run(query)).toEqual({ data: { merchantAccount: { displayName: 'S' } } });
    }
  });

  it.each([
    ['{', 'GRAPHQL_PARSE_FAILED'],
    ['{ nope }', 'GRAPHQL_VALIDATION_FAILED'],
    ['subscription { events { nope } }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      `{ ${Array.from({ length: 16 }, (_, index) => `a${index}: __typename`).join(' ')} }`,
      'QUERY_TOO_COMPLEX',
    ],
  ])('refuses %s before it runs', async (query, code) => {
    const refusal = await run(query);

    expect(refusal).toEqual({ refused: { 0: expect.objectContaining({ extensions: { code } }) } });
  });

  it.each([
    ['{ transactions(first: 1) { nodes { id } } }', 'transactions.read'],
    [SUBSCRIPTION, 'events.read'],
  ])('answers %s with FORBIDDEN without its scope', async (query, scope) => {
    const token = await server.mint({ scopes: ['payment-links.read'] });
    const answer = await run(query, { token });

    const extensions = { code: 'FORBIDDEN', requiredScopes: [[scope]] };
    expect(answer).toMatchObject({
      errors: [{ message: `The token lacks the scope ${scope}.`, extensions }],
    });
  });

  it('acts for the merchant account of the payload', async () => {
    const { id } = await server.createMerchantAccount();
    const headers = { 'X-Service-Merchant-Account-Id': id };
    const mutation = `mutation { createPaymentService(input: { displayName: "S", paymentServiceDefinitionId: "mock-card",
      fields: [{ key: "merchant_id", value: "m" }], acceptedCurrencies: ["USD"], acceptedCountries: ["US"] }) {
      paymentService { merchantAccountId } } }`;

    const answer = await run(mutation, { headers });

    expect(answer).toEqual({ data: { createPaymentService: { paymentService: { merchantAccountId: id } } } });
  });
});

describe('a websocket is closed', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ settings: { PAYGRAPH_ALLOWED_ORIGINS: 'https://dashboard.example' } });
  });
  afterAll(() => server.stop());
  const open = () => openRawSocket(server.url);
  const subscribe = (id: string, query = SUBSCRIPTION) => ({ id, type: 'subscribe', payload: { query } });

  it('with 4400 on an invalid message', async () => {
    const socket = await open();
    socket.send('{"type":"nonsense"}');

    expect(await socket.closed).toEqual({ code: 4400, reason: 'Invalid message received' });
  });

  it('with 4401 without a token, with a bad one, and before authentication', async () => {
    const without = await open();
    without.send(INIT);
    const bad = await open();
    bad.send({ ...INIT, payload: { authorization: 'Bearer nonsense' } });
    const early = await open();
    early.send(subscribe('1'));

    const refusal = { code: 4401, reason: 'The access token is missing, expired or not valid.' };
    expect(await without.closed).toEqual(refusal);
    expect(await bad.closed).toEqual(refusal);
    expect(await early.closed).toMatchObject({ code: 4401 });
  });

  it('with 4403 for a merchant account outside of the token', async () => {
    const socket = await open();
    const payload = { authorization: `Bearer ${server.token}`, 'x-service-merchant-account-id': 'nobody' };
    socket.send({ ...INIT, payload });

    expect(await socket.closed).toEqual({
      code: 4403,
      reason: 'The token has no access to this merchant account.',
    });
  });

  it('with 4406 for another protocol', async () => {
    const socket = await openRawSocket(server.url, { protocol: 'graphql-ws' }).catch(
      (error: unknown) => error,
    );

    expect(socket).toBeInstanceOf(Error);
  });

  it('with 4409 on a second operation of the same id', async () => {
    const socket = await connectRawSocket(server.url, server.token);
    socket.send(subscribe('1'));
    socket.send(subscribe('1'));

    expect(await socket.closed).toMatchObject({ code: 4409 });
  });

  it('with 4429 on a second connection_init', async () => {
    const socket = await connectRawSocket(server.url, server.token);
    socket.send(INIT);

    expect(await socket.closed).toMatchObject({ code: 4429 });
  });

  it('with 1009 on a message of more than 64 KB', async () => {
    const socket = await connectRawSocket(server.url, server.token);
    socket.send(subscribe('1', `{ __typename } # ${'x'.repeat(65_536)}`));

    expect(await socket.closed).toMatchObject({ code: 1009 });
  });

  it('with 1013 when a message meets a temporary fault, which is logged without the message', async () => {
    const other = await startTestServer();
    const socket = await openRawSocket(other.url);
    await other.app.db.query({
      name: 'break',
      text: 'ALTER TABLE api_key_pair RENAME TO broken',
      values: [],
    });
    socket.send({ ...INIT, payload: { authorization: `Bearer ${other.token}` } });
    const closed = await socket.closed;
    const logs = other.logs();
    await other.stop();

    expect(closed).toEqual({ code: 1013, reason: 'Try again later' });
    expect(logs).toContain('A websocket message failed');
    expect(logs).not.toContain(other.token);
  });
});

describe('a websocket', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ settings: { PAYGRAPH_ALLOWED_ORIGINS: 'https://dashboard.example' } });
  });
  afterAll(() => server.stop());
  const statusOf = async (options: Parameters<typeof openRawSocket>[1]): Promise<string> => {
    try {
      const socket = await openRawSocket(server.url, options);
      socket.close();
      return 'open';
    } catch (error) {
      return error instanceof Error ? error.message : 'unknown';
    }
  };

  it('accepts our own pages, allowed origins, and programs', async () => {
    const { port } = new URL(server.url);
    const origins = ['https://dashboard.example', `http://localhost:${port}`, server.url];

    expect(await statusOf({})).toBe('open');
    for (const origin of origins) expect(await statusOf({ headers: { origin } })).toBe('open');
    for (const origin of ['https://elsewhere.example', 'null', 'http://localhost:1']) {
      expect(await statusOf({ headers: { origin } })).toBe('403');
    }
  });

  it('is served at /graphql only', async () => {
    expect(await statusOf({ path: '/graphql?x=1' })).toBe('open');
    expect(await statusOf({ path: '/' })).toBe('404');
  });
});
