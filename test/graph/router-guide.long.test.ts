import { createServer, type Server } from 'node:http';
import { readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHandler } from 'graphql-http/lib/use/http';
import { parse, type GraphQLSchema } from 'graphql';
import { supergraphFor } from '../../src/graph/compose.ts';
import { startRelay } from '../../src/modules/events/index.ts';
import { startHiveGateway, type HiveGateway } from '../gateway/hive-gateway.ts';
import { INSTALL_MS, installApart } from '../support/install-apart.ts';
import { relayAll } from '../support/relay-all.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

// Runs the examples of the guide "Behind a router" as they stand there.

const SECRET = 'a secret of at least 32 characters, for routers';
/** The place of the secret in the configuration. A test leaves the environment alone. */
const SECRET_PLACE = "process.env['PAYGRAPH_ROUTER_SECRET'] ?? ''";
const CONFIG = new URL('../gateway/gateway.config.guide.ts', import.meta.url);
const NAMES = new URL('../gateway/gateway.names.guide.ts', import.meta.url);
const PAID = `input: { amount: 1299, currency: "USD", buyerExternalIdentifier: "ada",
  paymentMethod: { card: { number: "4111 1111 1111 1111", expirationDate: "12/40" } } }`;

type Order = {
  readonly id: string;
  readonly articles: readonly string[];
  readonly transactionId: string;
  readonly customer: string;
};

const orders: Order[] = [];
/** The secrets that the subgraph of the shop was sent. */
const sentSecrets: unknown[] = [];

let guide: string;
let server: TestServer;
let shop: Server;
let gateway: HiveGateway;
let caller: Readonly<Record<string, string>>;
let transactionId: string;

beforeAll(() => installApart('test/gateway'), INSTALL_MS);

beforeAll(async () => {
  guide = await readFile('src/docs/guides/federation.md', 'utf8');
  server = await startTestServer({
    settings: { PAYGRAPH_SUBGRAPHS: 'true', PAYGRAPH_ROUTER_SECRET: SECRET },
  });
  caller = { authorization: `Bearer ${server.token}` };
  const typeDefs = parse(block('gql', 'extend schema'));
  shop = await serveShop(typeDefs);
  const supergraph = supergraphFor({
    ...{ base: server.url, urls: [`shop=${addressOf(shop)}`], publishesScopes: false },
    others: [{ name: 'shop', typeDefs }],
  });
  const config = block('ts', 'import { defineConfig }');
  expect(config).toContain(SECRET_PLACE);
  await writeFile(CONFIG, config.replace(SECRET_PLACE, JSON.stringify(SECRET)));
  const { gatewayConfig } = (await import(CONFIG.href)) as { readonly gatewayConfig: object };
  gateway = await startHiveGateway({ ...gatewayConfig, supergraph });
  await server.graphql(
    'mutation { createBuyer(input: { displayName: "Ada", externalIdentifier: "ada" }) { buyer { id } } }',
  );
  await server.graphql(
    `mutation { createPaymentService(input: { displayName: "Cards", paymentServiceDefinitionId: "mock-card",
      fields: [{ key: "merchant_id", value: "shop" }, { key: "api_key", value: "secret" }], acceptedCurrencies: ["USD"],
      acceptedCountries: ["US"] }) { paymentService { id } } }`,
  );
  transactionId = await pay();
  orders.push({ id: '7', articles: ['Socks'], transactionId, customer: 'ada' });
});

afterAll(async () => {
  await gateway.close();
  shop.closeAllConnections();
  shop.close();
  await server.stop();
  await Promise.all([CONFIG, NAMES].map((file) => rm(file, { force: true })));
});

describe('the guide "Behind a router"', () => {
  it('joins a payment and a buyer to an order, by the configuration and the subgraph of the guide', async () => {
    const answer = await gateway.query(block('gql', 'query ($id: ID!)'), { id: '7' }, caller);

    expect(answer).toEqual({
      data: {
        order: {
          articles: ['Socks'],
          transaction: { status: 'AUTHORIZATION_SUCCEEDED', amount: 1299, currency: 'USD' },
          buyer: { displayName: 'Ada', orders: [{ id: '7' }] },
        },
      },
    });
  });

  it('adds the order to a payment, and the orders to a buyer', async () => {
    const text = `query ($id: ID!) { transaction(id: $id) { order { articles } }
      buyers(externalIdentifier: "ada") { nodes { displayName orders { id transaction { amount } } } } }`;

    expect(await gateway.query(text, { id: transactionId }, caller)).toEqual({
      data: {
        transaction: { order: { articles: ['Socks'] } },
        buyers: { nodes: [{ displayName: 'Ada', orders: [{ id: '7', transaction: { amount: 1299 } }] }] },
      },
    });
  });

  it('sends events with fields of the shop', async () => {
    const events = gateway.subscribe(
      'subscription { events(after: "BEGIN", types: ["transaction.authorized"]) { name transaction { amount order { id } } } }',
      caller,
    );
    const first = events.next();
    const relay = startRelay(server.app);

    expect(await first).toEqual({
      done: false,
      value: {
        data: {
          events: { name: 'transaction.authorized', transaction: { amount: 1299, order: { id: '7' } } },
        },
      },
    });
    await events.return(undefined);
    await relay.stop();
  });

  it('refuses a caller without a token, and keeps the secret from the shop', async () => {
    const answer = await gateway.query('{ transactions { nodes { id } } }');

    expect(
      answer.errors?.map(({ extensions }) => (extensions as { code?: string } | undefined)?.code),
    ).toEqual(['UNAUTHENTICATED']);
    expect(sentSecrets.length).toBeGreaterThan(0);
    expect(new Set(sentSecrets)).toEqual(new Set([undefined]));
  });
});

describe('the plugin of the guide for names', () => {
  const CALENDAR = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
    type Query { events: [Event!]! } type Event @key(fields: "id") { id: ID! title: String! }`;

  it('lets a company with its own events read ours by another name', async () => {
    const typeDefs = parse(CALENDAR);
    const calendar = await serve(
      buildSubgraphSchema([
        { typeDefs, resolvers: { Query: { events: () => [{ id: '1', title: 'Opening' }] } } },
      ]),
    );
    const supergraph = supergraphFor({
      ...{ base: server.url, urls: [`shop=${addressOf(calendar)}`], publishesScopes: false },
      others: [{ name: 'shop', typeDefs }],
      renames: ['Event=PaygraphEvent', 'Query.events=paygraphEvents'],
    });
    await writeFile(NAMES, block('ts', 'import { Kind'));
    const { useNames } = (await import(NAMES.href)) as {
      readonly useNames: (own: readonly string[]) => object;
    };
    const { gatewayConfig } = (await import(CONFIG.href)) as { readonly gatewayConfig: object };
    const other = await startHiveGateway({
      ...gatewayConfig,
      supergraph,
      plugins: () => [useNames(['shop'])],
    });
    await relayAll(server.app);

    const answer = await other.query(
      `{ events { __typename title } paygraphEvents(first: 1, types: ["transaction.authorized"]) {
        nodes { __typename name transaction { amount feedEvents(first: 1) { nodes { __typename ... on PaygraphEvent { name } } } } } } }`,
      {},
      caller,
    );
    const mutated = await other.query(
      'mutation { updateBuyer(id: "unknown", input: {}) { userErrors { __typename } } }',
      {},
      caller,
    );

    const subscription = other.subscribe(
      'subscription { events(after: "BEGIN", types: ["transaction.authorized"]) { __typename transaction { amount } } }',
      caller,
    );

    expect(await subscription.next()).toMatchObject({
      value: { data: { events: { __typename: 'PaygraphEvent', transaction: { amount: 1299 } } } },
    });
    await subscription.return(undefined);
    expect(answer).toEqual({
      data: {
        events: [{ __typename: 'Event', title: 'Opening' }],
        paygraphEvents: {
          nodes: [
            {
              __typename: 'PaygraphEvent',
              name: 'transaction.authorized',
              transaction: {
                amount: 1299,
                feedEvents: { nodes: [{ __typename: 'PaygraphEvent', name: 'transaction.authorized' }] },
              },
            },
          ],
        },
      },
    });
    expect(mutated).toEqual({ data: { updateBuyer: { userErrors: [{ __typename: 'NotFound' }] } } });
    await other.close();
    calendar.closeAllConnections();
    calendar.close();
  });
});

/** Returns the text of the guide's block in a language that begins so. */
function block(language: string, beginning: string): string {
  const found = [...guide.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(
    ([, name, text = '']) => name === language && text.startsWith(beginning),
  );
  if (found.length !== 1)
    throw new Error(`The guide has ${found.length} blocks that begin with "${beginning}".`);
  return found[0]?.[2] ?? '';
}

async function serveShop(typeDefs: ReturnType<typeof parse>): Promise<Server> {
  const code = `export const make = (orders) => { ${block('js', 'const resolvers')} return resolvers; };`;
  const { make } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    readonly make: (orders: readonly Order[]) => Record<string, Record<string, () => unknown>>;
  };
  return serve(buildSubgraphSchema([{ typeDefs, resolvers: make(orders) }]));
}

async function serve(schema: GraphQLSchema): Promise<Server> {
  const handler = createHandler({ schema });
  const served = createServer((request, response) => {
    sentSecrets.push(request.headers['x-router-secret']);
    void handler(request, response);
  });
  await new Promise<void>((resolve) => served.listen(0, '127.0.0.1', resolve));
  return served;
}

const addressOf = (served: Server): string => `http://127.0.0.1:${(served.address() as AddressInfo).port}/`;

async function pay(): Promise<string> {
  const { body } = await server.graphql<{ createTransaction: { transaction: { id: string } } }>(
    `mutation { createTransaction(${PAID}) { transaction { id } userErrors { message } } }`,
  );
  return body.data?.createTransaction.transaction.id ?? '';
}
