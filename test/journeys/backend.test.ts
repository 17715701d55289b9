import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Client } from 'graphql-ws';
import { importPKCS8, SignJWT } from 'jose';
import pg from 'pg';
import { oldestWaitingEvent, startRelay } from '../../src/modules/events/index.ts';
import type { Loop } from '../../src/platform/loop.ts';
import { startTestServer, type AskOptions, type TestServer } from '../support/server.ts';

let server: TestServer;
let relay: Loop;
const sockets: Client[] = [];

beforeAll(async () => {
  server = await startTestServer();
  relay = startRelay(server.app);
  await createShop();
});
afterAll(async () => {
  for (const socket of sockets) await socket.dispose();
  await relay.stop();
  await server.stop();
});

/** The headers that act for the backend's merchant account. The token of the server belongs to its operator. */
const SHOP: AskOptions = { headers: { 'x-service-merchant-account-id': 'shop' } };

describe('a backend', () => {
  it('acts for the merchant account of the header, and for no other', async () => {
    const id = await pay(SHOP);
    const read = 'query ($id: ID!) { transaction(id: $id) { id } transactions { nodes { id } } }';

    const inShop = await server.graphql(read, { id }, SHOP);
    const inDefault = await server.graphql(read, { id });
    const nowhere = await server.graphql(
      read,
      { id },
      { headers: { 'x-service-merchant-account-id': 'nobody' } },
    );

    expect(inShop.body).toEqual({ data: { transaction: { id }, transactions: { nodes: [{ id }] } } });
    expect(inDefault.body).toEqual({ data: { transaction: null, transactions: { nodes: [] } } });
    expect(nowhere.status).toBe(403);
    expect(nowhere.body.errors).toEqual([
      { message: 'The token has no access to this merchant account.', extensions: { code: 'FORBIDDEN' } },
    ]);
  });

  it('with its own signing key pays with transactions.write alone, and a refused query names the missing scope', async () => {
    const token = await tokenOfOwnKey(['transactions.write']);

    const paid = await server.graphql(
      `mutation { createTransaction(input: ${INPUT}) { transactionId transactionStatus userErrors { code } } }`,
      {},
      { token },
    );
    const read = await server.graphql('{ transactions { nodes { id } } }', {}, { token });

    expect(paid.body).toEqual({
      data: {
        createTransaction: {
          transactionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          transactionStatus: 'AUTHORIZATION_SUCCEEDED',
          userErrors: [],
        },
      },
    });
    expect(read.body).toMatchObject({
      data: null,
      errors: [
        {
          message: 'The token lacks the scope transactions.read.',
          path: ['transactions'],
          extensions: { code: 'FORBIDDEN', requiredScopes: [['transactions.read']] },
        },
      ],
    });
  });

  it('with the scope for events only sees that there is a transaction, but none of its fields', async () => {
    const id = await pay(SHOP);
    await relayed();
    const token = await tokenOfOwnKey(['events.read']);
    const ask = async (fields: string) =>
      (
        await server.graphql(
          `{ events(first: 1) { nodes { name transaction { ${fields} } } } }`,
          {},
          { token },
        )
      ).body;

    expect(await ask('id')).toMatchObject({
      data: {
        events: { nodes: [{ name: 'transaction.authorized', transaction: { id: expect.any(String) } }] },
      },
    });
    const requested = await ask('id status');

    expect(requested).toMatchObject({
      data: { events: { nodes: [{ name: 'transaction.authorized', transaction: null }] } },
      errors: [
        {
          message: 'The token lacks the scope transactions.read.',
          path: ['events', 'nodes', 0, 'transaction'],
          extensions: { code: 'FORBIDDEN' },
        },
      ],
    });
    expect(JSON.stringify(requested)).not.toContain(id);
  });

  it('joins events, transactions, captures and services in one request, with the same number of statements for any number of rows', async () => {
    const { token } = await server.createMerchantAccount();
    await createService({ token });
    const dashboard = async () => {
      await relayed();
      return countStatements(() => server.graphql<Dashboard>(DASHBOARD, {}, { token }));
    };
    await capture({ token }, await pay({ token }));
    // From the second request on, the compiled operation answers.
    await server.graphql(DASHBOARD, {}, { token });

    const [few, eventsOfFew] = await dashboard();
    for (let more = 0; more < 9; more += 1) await capture({ token }, await pay({ token }));
    const [many, eventsOfMany] = await dashboard();

    expect(eventsOfFew.body.data?.events.nodes).toHaveLength(3);
    expect(eventsOfMany.body.data?.events.nodes).toHaveLength(30);
    for (const { transaction } of eventsOfMany.body.data?.events.nodes ?? []) {
      expect(transaction).toEqual({
        status: 'CAPTURE_SUCCEEDED',
        paymentService: { displayName: 'Shop card', acceptedCurrencies: ['USD'] },
        captures: [{ amount: 1299, status: 'SUCCEEDED' }],
      });
    }
    // One statement each for the feed's head, a part of the feed, transactions, services and captures.
    expect(few).toHaveLength(5);
    expect(many).toEqual(few);
  });

  it('sees every event once although its socket drops in between', async () => {
    const { token } = await server.createMerchantAccount();
    await createService({ token });
    const total = 3 * 12;
    const seen: Seen[] = [];
    const paying = (async () => {
      for (let payment = 0; payment < 12; payment += 1) await capture({ token }, await pay({ token }));
    })();

    let drops = 0;
    for (; seen.length < total; drops += 1) {
      await followUntilDropped({ token }, seen, Math.min(7, total - seen.length));
    }
    await paying;

    expect(drops).toBeGreaterThan(4);
    expect(seen.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: total }, (_, index) => index + 1),
    );
    const { body } = await server.graphql<{ events: { nodes: Seen[] } }>(
      '{ events(first: 100) { nodes { sequence name cursor } } }',
      {},
      { token },
    );
    expect(seen).toEqual(body.data?.events.nodes);
  });
});

type Seen = { readonly sequence: number; readonly name: string; readonly cursor: string };

type Dashboard = { readonly events: { readonly nodes: readonly { readonly transaction: unknown }[] } };

const DASHBOARD = `{ events(first: 100) { nodes { name transaction {
  status paymentService { displayName acceptedCurrencies } captures { amount status } } } } }`;

const INPUT = `{ amount: 1299, currency: "USD",
  paymentMethod: { card: { number: "4111 1111 1111 1111", expirationDate: "12/40", securityCode: "100" } } }`;

const relayed = async (): Promise<void> => {
  while ((await oldestWaitingEvent(server.app)) !== null)
    await new Promise((resolve) => setTimeout(resolve, 5));
};

/** Creates a merchant account `shop` with a payment service, as the operator. */
async function createShop(): Promise<void> {
  const { body } = await server.graphql(
    'mutation { createMerchantAccount(input: { id: "shop", displayName: "Shop" }) { merchantAccount { id } userErrors { message } } }',
  );
  expect(body).toEqual({
    data: { createMerchantAccount: { merchantAccount: { id: 'shop' }, userErrors: [] } },
  });
  await createService(SHOP);
}

async function createService(options: AskOptions): Promise<void> {
  const { body } = await server.graphql(
    `mutation { createPaymentService(input: { displayName: "Shop card", paymentServiceDefinitionId: "mock-card",
      fields: [{ key: "merchant_id", value: "shop" }], acceptedCurrencies: ["USD"], acceptedCountries: ["US"] }) {
      userErrors { message } } }`,
    {},
    options,
  );
  expect(body).toEqual({ data: { createPaymentService: { userErrors: [] } } });
}

async function pay(options: AskOptions): Promise<string> {
  const { body } = await server.graphql<{ createTransaction: { transaction: { id: string } } }>(
    `mutation { createTransaction(input: ${INPUT}) { transaction { id } } }`,
    {},
    options,
  );
  return body.data?.createTransaction.transaction.id ?? '';
}

async function capture(options: AskOptions, id: string): Promise<void> {
  const { body } = await server.graphql(
    'mutation ($id: ID!) { captureTransaction(id: $id) { capture { status } } }',
    { id },
    options,
  );
  expect(body).toEqual({ data: { captureTransaction: { capture: { status: 'SUCCEEDED' } } } });
}

/** Follows the README's steps for tokens: creates a key pair for `shop`, and signs a JWT with its private half. */
async function tokenOfOwnKey(scopes: readonly string[]): Promise<string> {
  type Made = { readonly apiKeyPair: { readonly thumbprint: string }; readonly privateKey: string };
  const { body } = await server.graphql<{ createApiKeyPair: Made }>(
    `mutation ($scopes: [String!]!) { createApiKeyPair(input: { displayName: "Backend", algorithm: ES256,
      scopes: $scopes, merchantAccountIds: ["shop"] }) { apiKeyPair { thumbprint } privateKey } }`,
    { scopes },
  );
  const made = body.data?.createApiKeyPair as Made;
  return new SignJWT({ scopes: [...scopes] })
    .setProtectedHeader({ alg: 'ES256', kid: made.apiKeyPair.thumbprint })
    .setIssuer('the shop')
    .setNotBefore('0s')
    .setExpirationTime('5m')
    .setJti(server.app.ids.uuid())
    .sign(await importPKCS8(made.privateKey, 'ES256'));
}

/**
 * Counts the statements that this process sends to Postgres meanwhile, through either driver. The relay rests. Reads
 * of the token's key are left out, because they repeat every few seconds.
 */
async function countStatements<Value>(
  work: () => Promise<Value>,
): Promise<[statements: string[], value: Value]> {
  await relay.stop();
  const statements: string[] = [];
  const spy = jest.spyOn(pg.Client.prototype, 'query');
  const value = await work();
  for (const [given] of spy.mock.calls) {
    // The declared type covers one of many overloads only.
    const statement = given as unknown as string | { readonly text: string };
    const text = typeof statement === 'string' ? statement : statement.text;
    if (!text.includes('api_key_pair')) statements.push(text);
  }
  spy.mockRestore();
  relay = startRelay(server.app);
  return [statements, value];
}

/** Follows the feed from the last seen event for so many events. Then the connection breaks without a close frame. */
async function followUntilDropped(options: AskOptions, seen: Seen[], count: number): Promise<void> {
  const socket = server.socket(options);
  sockets.push(socket);
  const events = socket.iterate<{ events: Seen }>({
    query: 'subscription ($after: String!) { events(after: $after) { sequence name cursor } }',
    variables: { after: seen.at(-1)?.cursor ?? 'BEGIN' },
  });
  const until = seen.length + count;
  for await (const { data } of events) {
    if (data) seen.push(data.events);
    if (seen.length < until) continue;
    socket.terminate();
    return;
  }
}
