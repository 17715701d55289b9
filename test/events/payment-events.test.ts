import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Statement } from '../../src/platform/database/statement.ts';
import { startHarness, type Harness } from '../transactions/harness.ts';
import { relayAll } from '../support/relay-all.ts';

type Event = {
  readonly id: string;
  readonly name: string;
  readonly sequence: number;
  readonly cursor: string;
  readonly target: { readonly type: string; readonly id: string };
  readonly deliveries: readonly {
    readonly webhookEndpoint: { readonly url: string };
    readonly state: string;
  }[];
};
type Page = {
  readonly nodes: readonly Event[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly endCursor: string;
  };
};

const EVENT = `id name sequence cursor target { type id } transaction { id }`;
const QUERY = `query ($id: ID!, $first: Int! = 10, $after: String, $sort: PaymentEventSort! = SEQUENCE_ASC, $most: Int) {
  transaction(id: $id) { feedEvents(first: $first, after: $after, sort: $sort) {
    nodes { ${EVENT} deliveries(first: $most) { state webhookEndpoint { url } } }
    pageInfo { hasNextPage hasPreviousPage endCursor } } } }`;
const LIST = `{ transactions(first: 20) { nodes { id feedEvents {
  nodes { name createdAt deliveries { state attemptCount } } pageInfo { hasNextPage endCursor } } } } }`;

let harness: Harness;
let id: string;
beforeAll(async () => {
  harness = await startHarness('mock-acquirer');
  for (const path of ['one', 'two'])
    await harness.ask(
      `mutation { createWebhookEndpoint(input: { url: "http://127.0.0.1:9/${path}", eventNames: ["transaction.*", "refund.*"] }) {
        userErrors { message } } }`,
    );
});
afterAll(() => harness.stop());
beforeEach(async () => {
  id = await harness.authorized(1299);
  await harness.capture(id, { amount: 1000 });
  await harness.authorized(500);
  await harness.refund(id, { amount: 300 });
  await relayAll(harness.server.app);
});

const NAMES = ['transaction.authorized', 'capture.succeeded', 'transaction.captured', 'refund.succeeded'];

const read = async (variables: object = {}): Promise<Page> =>
  (await harness.ask<{ transaction: { feedEvents: Page } }>(QUERY, { id, ...variables })).transaction
    .feedEvents;

async function errorOf(variables: object, scopes: readonly string[] = ['*.read']): Promise<unknown> {
  const token = await harness.server.mint({ scopes });
  const { body } = await harness.server.graphql(QUERY, { id, ...variables }, { token });
  return body.errors?.[0]?.extensions.code;
}

describe('feedEvents of a payment', () => {
  it('are its own and those of its captures and refunds, in the order of the feed, with their deliveries', async () => {
    const { nodes, pageInfo } = await read();

    expect(nodes.map(({ name }) => name)).toEqual(NAMES);
    expect(nodes.map(({ target }) => target.type)).toEqual([
      'transaction',
      'capture',
      'transaction',
      'refund',
    ]);
    expect(
      nodes.every((event) => (event as unknown as { transaction: { id: string } }).transaction.id === id),
    ).toBe(true);
    expect(nodes.map(({ sequence }) => sequence)).toEqual(
      nodes.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
    );
    expect(
      nodes.map(({ deliveries }) => deliveries.map(({ webhookEndpoint }) => webhookEndpoint.url.at(-1))),
    ).toEqual([...[['o', 'e'], [], ['o', 'e'], ['o', 'e']]]);
    expect(pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
  });

  it('are the same objects as in the feed', async () => {
    const { nodes } = await read();
    const { events } = await harness.ask<{ events: { nodes: readonly Event[] } }>(
      `query ($after: String) { events(first: 100, after: $after) { nodes { ${EVENT} } } }`,
    );

    const known = new Map(events.nodes.map((event) => [event.id, event]));
    expect(nodes.map(({ deliveries: _, ...event }) => event)).toEqual(
      nodes.map((event) => known.get(event.id)),
    );
  });

  it('come in pages, whose cursors are those of the feed', async () => {
    const first = await read({ first: 2 });
    const second = await read({ first: 2, after: first.pageInfo.endCursor });

    expect(first.nodes.map(({ name }) => name)).toEqual(NAMES.slice(0, 2));
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, endCursor: first.nodes[1]?.cursor });
    expect(second.nodes.map(({ name }) => name)).toEqual(NAMES.slice(2));
    expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  it('come newest first on request, in pages that lead back to the oldest', async () => {
    const newest = { sort: 'SEQUENCE_DESC', first: 2 };
    const first = await read(newest);
    await harness.refund(id, { amount: 200 });
    await relayAll(harness.server.app);
    const second = await read({ ...newest, after: first.pageInfo.endCursor });
    const past = await read({ ...newest, after: second.pageInfo.endCursor });

    expect(first.nodes.map(({ name }) => name)).toEqual(NAMES.toReversed().slice(0, 2));
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(second.nodes.map(({ name }) => name)).toEqual(NAMES.toReversed().slice(2));
    expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect(past.nodes).toEqual([]);
  });

  it('have an order of their own for each request of one document', async () => {
    const names = 'nodes { name }';
    const { transaction } = await harness.ask<{ transaction: Record<'up' | 'down', Page> }>(
      `query ($id: ID!) { transaction(id: $id) {
        up: feedEvents(first: 1) { ${names} } down: feedEvents(first: 1, sort: SEQUENCE_DESC) { ${names} } } }`,
      { id },
    );

    expect([transaction.up, transaction.down].map(({ nodes }) => nodes[0]?.name)).toEqual([
      'transaction.authorized',
      'refund.succeeded',
    ]);
  });

  it('show fewer deliveries on request', async () => {
    const { nodes } = await read({ most: 1 });

    expect(nodes.map(({ deliveries }) => deliveries.length)).toEqual([1, 0, 1, 1]);
  });

  it.each([
    [{ first: 0 }, 'INVALID_INPUT'],
    [{ first: 101 }, 'INVALID_INPUT'],
    [{ most: 0 }, 'INVALID_INPUT'],
    [{ most: 51 }, 'INVALID_INPUT'],
    [{ after: 'x' }, 'INVALID_INPUT'],
    [{ after: Buffer.from('feed.default.1000000').toString('base64url') }, 'INVALID_INPUT'],
  ])('are refused for %j', async (variables, code) => {
    expect(await errorOf(variables)).toBe(code);
  });

  it('need the scope of the event log, and their deliveries the scope of endpoints', async () => {
    expect(await errorOf({}, ['transactions.read'])).toBe('FORBIDDEN');
    expect(await errorOf({}, ['transactions.read', 'events.read'])).toBe('FORBIDDEN');
    expect(
      await errorOf({}, ['transactions.read', 'events.read', 'webhook-subscriptions.read']),
    ).toBeUndefined();
  });

  it('of another merchant account are not shown', async () => {
    const { token } = await harness.server.createMerchantAccount();
    const { body } = await harness.server.graphql(QUERY, { id }, { token });

    expect(body).toEqual({ data: { transaction: null } });
  });
});

describe('a page of 20 payments with their events and deliveries', () => {
  it('passes the limits, and needs as many statements as a page of one', async () => {
    for (let made = 0; made < 10; made += 1) await harness.captured(100);
    await relayAll(harness.server.app);

    const one = await statementsOf(() => harness.ask(LIST.replace('first: 20', 'first: 1')));
    const many = await statementsOf(() => harness.ask<{ transactions: { nodes: readonly object[] } }>(LIST));

    expect(many.names).toEqual(one.names);
    expect(many.names.filter((name) => name === 'feed_events_of_records_line')).toHaveLength(1);
    expect(many.answer.transactions.nodes.length).toBeGreaterThan(12);
  });

  it('is too complex with 100 events of each', async () => {
    const { body } = await harness.server.graphql(
      LIST.replace('feedEvents', 'feedEvents(first: 100)'),
      {},
      {
        token: await harness.server.mint(),
      },
    );

    expect(body.errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX' } }]);
  });
});

async function statementsOf<Answer>(
  run: () => Promise<Answer>,
): Promise<{ readonly names: readonly string[]; readonly answer: Answer }> {
  const { readDb: db } = harness.server.app;
  const query = db.query.bind(db);
  const names: string[] = [];
  const counted = async <Row>(statement: Statement): Promise<readonly Row[]> => {
    names.push(statement.name ?? 'unnamed');
    return query<Row>(statement);
  };
  Object.assign(db, { query: counted });
  const answer = await run().finally(() => Object.assign(db, { query }));
  return { names: names.toSorted(), answer };
}
