import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { schemaUrl, SUBGRAPHS } from '../../src/graph/federation/sdl.ts';
import { requestClient, urqlClient, type GraphqlClient } from '../clients/graphql-clients.ts';
import { createHiveGateway, type HiveGateway } from '../gateway/hive-gateway.ts';
import { INSTALL_MS, installApart } from '../support/install-apart.ts';
import { createService } from '../transactions/harness.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const SECRET = 'a secret of at least 32 characters, for routers';

let server: TestServer;
let gateway: HiveGateway;
const clients = new Map<string, GraphqlClient>();

beforeAll(async () => {
  await installApart('test/gateway');
  await installApart('test/clients');
}, INSTALL_MS);

beforeAll(async () => {
  server = await startTestServer({
    settings: { PAYGRAPH_SUBGRAPHS: 'true', PAYGRAPH_ROUTER_SECRET: SECRET },
  });
  await createService(server, null, { definitionId: 'mock-card', currencies: ['USD'] });
  const { url, token } = server;
  gateway = await createHiveGateway({
    supergraphSdl: readFileSync(schemaUrl('supergraph'), 'utf8'),
    urls: Object.fromEntries(SUBGRAPHS.map((name) => [name, `${url}/subgraphs/${name}`])),
    headers: { 'x-router-secret': SECRET, authorization: `Bearer ${token}` },
  });
  const toGateway = (to: string, request: RequestInit): Promise<Response> => gateway.fetch(to, request);
  const direct = { url: `${url}/graphql`, token };
  const routed = { url: 'http://gateway.test/graphql', token, fetch: toGateway };
  for (const [way, target] of [['the service', direct] as const, ['Hive Gateway', routed] as const]) {
    clients.set(`graphql-request and ${way}`, await requestClient(target));
    clients.set(`urql and ${way}`, await urqlClient(target));
  }
});
afterAll(async () => {
  await gateway.close();
  await server.stop();
});

const PAY = `mutation Pay($input: CreateTransactionInput!, $key: String) {
  createTransaction(input: $input, idempotencyKey: $key) {
    transaction { ...Paid buyerRecord { displayName } }
    userErrors { code message path }
    replayed
  }
}
fragment Paid on Transaction { id status amount currency paymentService { displayName } }`;

describe.each([
  ...['graphql-request and the service', 'graphql-request and Hive Gateway'],
  ...['urql and the service', 'urql and Hive Gateway'],
])('%s', (name) => {
  const run: GraphqlClient = (...given) => {
    const client = clients.get(name);
    if (!client) throw new Error(`There is no client ${name}.`);
    return client(...given);
  };

  it('pay once with a key, capture, and read the payment with its edges', async () => {
    const made = await run(
      'mutation ($input: CreateBuyerInput!) { createBuyer(input: $input) { buyer { id } userErrors { code } } }',
      { input: { displayName: 'Ada' } },
    );
    const buyerId = (made.data as { createBuyer: { buyer: { id: string } } }).createBuyer.buyer.id;
    const card = { number: '4111 1111 1111 1111', expirationDate: '12/40' };
    const input = { amount: 1299, currency: 'USD', paymentMethod: { card }, buyerId };
    const variables = { input, key: `${name} 1` };
    const first = await run(PAY, variables);
    const again = await run(PAY, variables);
    type Paid = { createTransaction: { transaction: { id: string } } };
    const { id } = (first.data as Paid).createTransaction.transaction;

    expect(first).toMatchObject({
      data: {
        createTransaction: {
          transaction: { status: 'AUTHORIZATION_SUCCEEDED', buyerRecord: { displayName: 'Ada' } },
          ...{ userErrors: [], replayed: false },
        },
      },
      codes: [],
    });
    expect(again.data).toMatchObject({ createTransaction: { transaction: { id }, replayed: true } });

    const captured = await run(
      `mutation ($id: ID!, $key: String) { captureTransaction(id: $id, input: { amount: 1000 }, idempotencyKey: $key) {
         capture { amount transaction { capturedAmount } } userErrors { code } } }`,
      { id, key: `${name} 2` },
    );
    const found = await run(
      'query ($id: ID!) { transaction(id: $id) { id captures { amount } buyerRecord { transactions(first: 1) { nodes { id } } } } }',
      { id },
    );

    expect(captured.data).toMatchObject({
      captureTransaction: {
        capture: { amount: 1000, transaction: { capturedAmount: 1000 } },
        userErrors: [],
      },
    });
    expect(found).toMatchObject({
      data: {
        transaction: { id, captures: [{ amount: 1000 }], buyerRecord: { transactions: { nodes: [{ id }] } } },
      },
      codes: [],
    });
  });

  it('read a refusal as data, and an error by its code', async () => {
    const refused = await run(
      `mutation ($key: String) { captureTransaction(id: "01900000-0000-7000-8000-000000000000", input: {}, idempotencyKey: $key) {
         capture { id } userErrors { code path ... on NotFound { message } } } }`,
      { key: `${name} 3` },
    );
    const failed = await run('{ transactions(first: 101) { nodes { id } } }');

    expect(refused).toMatchObject({
      data: { captureTransaction: { capture: null, userErrors: [{ code: 'NOT_FOUND', path: ['id'] }] } },
      codes: [],
    });
    expect(failed).toEqual({ data: null, codes: ['INVALID_INPUT'] });
  });
});
