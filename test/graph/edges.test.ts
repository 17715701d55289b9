import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Statement } from '../../src/platform/database/statement.ts';
import { relayAll } from '../support/relay-all.ts';
import { startHarness, type Harness } from '../transactions/harness.ts';

const SECRET = 'a secret of at least 32 characters, for routers';
const UNKNOWN = '01900000-0000-7000-8000-000000000000';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness('mock-card', {
    settings: { PAYGRAPH_SUBGRAPHS: 'true', PAYGRAPH_ROUTER_SECRET: SECRET },
  });
});
afterAll(() => harness.stop());

type Body = {
  data: Record<string, unknown> | null;
  errors?: { path: unknown; extensions: { code: string } }[];
};

async function entities(subgraph: string, of: readonly object[], selection: string): Promise<Body> {
  const { url, token } = harness.server;
  const response = await fetch(`${url}/subgraphs/${subgraph}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-router-secret': SECRET,
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({
      query: `query ($of: [_Any!]!) { _entities(representations: $of) { __typename ${selection} } }`,
      variables: { of },
    }),
  });
  return (await response.json()) as Body;
}

const createBuyer = async (externalIdentifier: string): Promise<string> => {
  const { createBuyer: created } = await harness.ask<{ createBuyer: { buyer: { id: string } } }>(
    `mutation ($id: String!) { createBuyer(input: { displayName: "Ada", externalIdentifier: $id,
       billingDetails: { firstName: "Ada" } }) { buyer { id } } }`,
    { id: externalIdentifier },
  );
  return created.buyer.id;
};

const operationsOf = async (id: string) => {
  const { transaction } = await harness.ask<{
    transaction: { captures: { id: string }[]; refunds: { id: string }[] };
  }>('query ($id: ID!) { transaction(id: $id) { captures { id } refunds { id } } }', { id });
  return { capture: transaction.captures[0]?.id ?? '', refund: transaction.refunds[0]?.id ?? '' };
};

describe('the references of a router', () => {
  it('name captures and refunds, each of its kind', async () => {
    const id = await harness.authorized(1299);
    await harness.capture(id);
    await harness.refund(id, { amount: 300 });
    const { capture, refund } = await operationsOf(id);
    const of = [
      { __typename: 'Capture', id: capture },
      { __typename: 'Refund', id: refund.toUpperCase() },
      { __typename: 'Refund', id: capture },
      { __typename: 'Capture', id: UNKNOWN },
      { __typename: 'Refund', id: 'x' },
    ];

    const { data, errors } = await entities(
      'transactions',
      of,
      '... on Capture { amount transaction { id refundedAmount } } ... on Refund { amount transaction { id } }',
    );

    expect(errors).toBeUndefined();
    expect(data?.['_entities']).toEqual([
      { __typename: 'Capture', amount: 1299, transaction: { id, refundedAmount: 300 } },
      { __typename: 'Refund', amount: 300, transaction: { id } },
      ...[null, null, null],
    ]);
  });

  it('name buyers by the id or by the merchant’s own identifier', async () => {
    const id = await createBuyer('customer-7');
    const foreign = await harness.server.createMerchantAccount();
    await harness.server.graphql(
      `mutation { createBuyer(input: { externalIdentifier: "customer-8" }) { buyer { id } } }`,
      {},
      { token: foreign.token },
    );
    const of = [
      { __typename: 'Buyer', externalIdentifier: 'customer-7' },
      { __typename: 'Buyer', id, externalIdentifier: 'another' },
      { __typename: 'Buyer', externalIdentifier: 'customer-8' },
      { __typename: 'Buyer', externalIdentifier: 'a\0b' },
      { __typename: 'Buyer', externalIdentifier: 7 },
      { __typename: 'Buyer', externalIdentifier: null },
    ];

    const { data, errors } = await entities(
      'payment-methods',
      of,
      '... on Buyer { id displayName billingDetails { firstName } }',
    );

    const ada = { __typename: 'Buyer', id, displayName: 'Ada', billingDetails: { firstName: 'Ada' } };
    expect(data?.['_entities']).toEqual([ada, ada, null, null, null, null]);
    expect(errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['_entities', 5], 'INVALID_INPUT'],
    ]);
  });

  it('name events of the feed', async () => {
    const transaction = await harness.authorized(700);
    await relayAll(harness.server.app);
    const { events } = await harness.ask<{ events: { nodes: { id: string; sequence: number }[] } }>(
      '{ events(first: 100) { nodes { id sequence } } }',
    );
    const last = events.nodes.at(-1);
    const of = [last?.id, UNKNOWN, 'x'].map((id) => ({ __typename: 'Event', id }));

    const { data } = await entities('events', of, '... on Event { name sequence transaction { id } }');

    expect(data?.['_entities']).toEqual([
      {
        __typename: 'Event',
        name: 'transaction.authorized',
        sequence: last?.sequence,
        transaction: { id: transaction },
      },
      null,
      null,
    ]);
  });
});

describe('edges between records', () => {
  const EDGES = `{ transactions(first: 20) { nodes { merchantAccount { displayName } buyerRecord { externalIdentifier merchantAccount { id } }
    captures { transaction { status } } refunds { transaction { id merchantAccount { displayName } } } } } }`;

  it('are read for a whole list by as many statements as for one row', async () => {
    const buyerId = await createBuyer('of-record');
    for (let count = 0; count < 3; count += 1) {
      const created = await harness.create({ amount: 500, buyerId });
      const id = created.transaction?.id ?? '';
      await harness.capture(id);
      await harness.refund(id, { amount: 100 });
    }

    const one = await statementsOf(EDGES.replace('first: 20', 'first: 1'));
    const many = await statementsOf<{ transactions: { nodes: object[] } }>(EDGES);

    expect(many.names).toEqual(one.names);
    expect(many.answer.transactions.nodes[0]).toEqual({
      merchantAccount: { displayName: 'Default' },
      buyerRecord: { externalIdentifier: 'of-record', merchantAccount: { id: 'default' } },
      captures: [{ transaction: { status: 'CAPTURE_SUCCEEDED' } }],
      refunds: [{ transaction: { id: expect.any(String), merchantAccount: { displayName: 'Default' } } }],
    });
  });

  it('show the merchant account only to a token that may read it', async () => {
    const token = await harness.server.mint({ scopes: ['transactions.read'] });
    const { body } = await harness.server.graphql(
      '{ transactions(first: 1) { nodes { merchantAccountId merchantAccount { id } } } }',
      {},
      { token },
    );

    expect(body.data).toEqual({
      transactions: { nodes: [{ merchantAccountId: 'default', merchantAccount: null }] },
    });
    expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
  });

  it('answer one record of each kind', async () => {
    const id = await harness.authorized(900);
    await harness.capture(id);
    const { capture } = await operationsOf(id);

    const found = await harness.ask(
      `query ($capture: ID!) { capture(id: $capture) { amount transaction { id } }
         refund(id: $capture) { id } event(id: "x") { id } }`,
      { capture },
    );

    expect(found).toEqual({ capture: { amount: 900, transaction: { id } }, refund: null, event: null });
  });

  it('lead from links to their buyer, from services to their definition, and from keys to their accounts', async () => {
    const buyerId = await createBuyer('of-a-link');
    const { shipping } = await harness.ask<{ shipping: { shippingDetails: { id: string } } }>(
      `mutation ($buyerId: ID!) { shipping: createShippingDetails(buyerId: $buyerId, input: { firstName: "Ada" }) {
         shippingDetails { id } } }`,
      { buyerId },
    );
    const { link } = await harness.ask<{ link: { paymentLink: object } }>(
      `mutation ($input: CreatePaymentLinkInput!) { link: createPaymentLink(input: $input) { paymentLink {
         buyerRecord { externalIdentifier } shippingDetails { buyer { displayName } } } } }`,
      {
        input: {
          ...{ amount: 100, currency: 'USD', country: 'US', buyerId },
          shippingDetailsId: shipping.shippingDetails.id,
        },
      },
    );
    const services = await harness.ask<{ paymentServices: { nodes: object[] } }>(
      '{ paymentServices(first: 1) { nodes { definition { id supportedCurrencies } } } }',
    );
    const token = await harness.server.mint({ scopes: ['api-key-pairs.read'] });
    const keys = '{ apiKeyPairs(first: 1) { nodes { merchantAccountIds merchantAccounts { id } } } }';
    const hidden = await harness.server.graphql(keys, {}, { token });

    expect(link.paymentLink).toEqual({
      buyerRecord: { externalIdentifier: 'of-a-link' },
      shippingDetails: { buyer: { displayName: 'Ada' } },
    });
    expect(services.paymentServices.nodes).toEqual([
      { definition: { id: 'mock-card', supportedCurrencies: [] } },
    ]);
    expect(hidden.body.errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
  });

  it('lead to the merchant accounts of a key that the token can access', async () => {
    const rival = await harness.server.createMerchantAccount();
    const created = await harness.ask<{ createApiKeyPair: { apiKeyPair: object } }>(
      `mutation ($ids: [String!]) { createApiKeyPair(input: { displayName: "Two", scopes: ["buyers.read"], merchantAccountIds: $ids }) {
         apiKeyPair { merchantAccounts { id } } } }`,
      { ids: ['default', rival.id] },
    );

    expect(created.createApiKeyPair.apiKeyPair).toEqual({
      merchantAccounts: [{ id: 'default' }, { id: rival.id }],
    });
  });

  it('show no operation of another merchant account', async () => {
    const id = await harness.authorized(650);
    await harness.capture(id);
    const { capture } = await operationsOf(id);
    const rival = await harness.server.createMerchantAccount();
    const find = 'query ($id: ID!) { operation(id: $id) { kind transaction { id } } }';
    const foreign = await harness.server.graphql(find, { id: capture }, { token: rival.token });

    expect(await harness.ask(find, { id: capture })).toEqual({
      operation: { kind: 'CAPTURE', transaction: { id } },
    });
    expect(foreign.body.data).toEqual({ operation: null });
  });

  it('of a repeated answer have the values of that answer', async () => {
    const id = await harness.authorized(800);
    const capture = (): Promise<unknown> =>
      harness.ask(
        `mutation ($id: ID!) { captureTransaction(id: $id, input: { amount: 500 }, idempotencyKey: "edge") {
           capture { transaction { refundedAmount } } userErrors { message } } }`,
        { id },
      );
    const first = await capture();
    await harness.refund(id, { amount: 300 });

    expect(first).toEqual({
      captureTransaction: { capture: { transaction: { refundedAmount: 0 } }, userErrors: [] },
    });
    expect(await capture()).toEqual(first);
  });
});

async function statementsOf<Answer>(
  document: string,
): Promise<{ readonly names: readonly string[]; readonly answer: Answer }> {
  const { readDb: db } = harness.server.app;
  const query = db.query.bind(db);
  const names: string[] = [];
  const counted = async <Row>(statement: Statement): Promise<readonly Row[]> => {
    names.push(statement.name ?? 'unnamed');
    return query<Row>(statement);
  };
  Object.assign(db, { query: counted });
  const answer = await harness.ask<Answer>(document).finally(() => Object.assign(db, { query }));
  return { names: names.toSorted(), answer };
}
