import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { createCuttableDatabase, type CuttableDatabase } from '../support/cut-database.ts';
import { startTestServer, type GraphqlError, type TestServer } from '../support/server.ts';
import { createSteppedClock } from '../support/stepped-clock.ts';

const READ = '{ transactions(first: 1) { nodes { id } } }';
const WRITE =
  'mutation { createBuyer(input: { displayName: "Ann" }, idempotencyKey: "a") { buyer { id } userErrors { code } } }';
const MAY_HAVE_BEGUN = /send it again with the same idempotencyKey/;

let database: CuttableDatabase;
let server: TestServer;
beforeAll(async () => {
  database = await createCuttableDatabase();
  // The first request remembers the key of the token, as a running service has. The clock stands still, so the key stays.
  server = await startTestServer({ clock: createSteppedClock(), settings: { DATABASE_URL: database.url } });
  await server.graphql(READ);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

describe('a database that is away', () => {
  it.each([
    ['a query', READ, null],
    ['a mutation', WRITE, MAY_HAVE_BEGUN],
  ])('makes %s answer 503 UNAVAILABLE with Retry-After, in both media types', async (_, document, says) => {
    await database.cut();
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const { status, headers, body } = await server.graphql(document, {}, { headers: { accept } });

      expect([status, headers.get('retry-after')]).toEqual([503, '2']);
      expectUnavailable(body.errors, says);
    }
    await database.mend();
    const { status, body } = await server.graphql(document);
    expect([status, body.errors]).toEqual([200, undefined]);
  });

  it('answers the same code over a websocket', async () => {
    const client = createClient({
      url: `${server.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${server.token}` },
      retryAttempts: 0,
      // The socket stays open between the operations.
      lazyCloseTimeout: 60_000,
    });
    for await (const { errors } of client.iterate({ query: READ })) expect(errors).toBeUndefined();
    await database.cut();
    for (const [query, says] of [
      [READ, null],
      [WRITE, MAY_HAVE_BEGUN],
    ] as const)
      for await (const { errors } of client.iterate({ query }))
        expectUnavailable(errors as unknown as readonly GraphqlError[], says);
    await database.mend();
    await client.dispose();
  });

  it('makes a page answer 503 with a page, and with an error body for a program', async () => {
    await database.cut();
    const address = `${server.url}/complete/some-token-of-a-payment`;
    const [page, body] = await Promise.all([
      fetch(address, { headers: { accept: 'text/html' } }),
      fetch(address),
    ]);
    await database.mend();

    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '2']);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect([body.status, body.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await body.json()).toMatchObject({ type: 'error', code: 'server_error', reason: 'unavailable' });
  });
});

describe('a token that the service has not seen', () => {
  it('answers 503 UNAVAILABLE while the database is away', async () => {
    const other = await server.createMerchantAccount();
    await database.cut();
    const { status, headers, body } = await server.graphql(READ, {}, { token: other.token });
    await database.mend();

    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    expectUnavailable(body.errors, null);
  });
});

function expectUnavailable(errors: readonly GraphqlError[] | undefined, says: RegExp | null): void {
  expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['UNAVAILABLE']);
  const message = errors?.[0]?.message ?? '';
  expect(message).toMatch(/Try again in a few seconds/);
  expect(MAY_HAVE_BEGUN.test(message)).toBe(says !== null);
}
