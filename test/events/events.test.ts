import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from 'graphql-ws';
import { encodeCursor } from '../../src/kernel/page.ts';
import { oldestWaitingEvent, startRelay } from '../../src/modules/events/index.ts';
import { startHarness, type Harness } from '../transactions/harness.ts';
import { openEventStream } from '../http/open-event-stream.ts';
import { until } from './harness.ts';

type Event = {
  readonly id: string;
  readonly name: string;
  readonly sequence: number;
  readonly cursor: string;
  readonly payload: string;
  readonly target: { readonly type: string; readonly id: string };
  readonly transaction: {
    readonly id: string;
    readonly status: string;
    readonly capturedAmount: number;
  } | null;
};

const EVENT =
  'id name sequence cursor payload createdAt target { type id } transaction { id status capturedAmount }';
const QUERY = `query ($first: Int, $after: String, $last: Int, $before: String, $types: [String!]) {
  events(first: $first, after: $after, last: $last, before: $before, types: $types) {
    edges { cursor } nodes { ${EVENT} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
const SUBSCRIPTION = `subscription ($after: String, $types: [String!]) { events(after: $after, types: $types) { ${EVENT} } }`;

let harness: Harness;
let stopRelay: () => Promise<void>;
const sockets: Client[] = [];
beforeAll(async () => {
  harness = await startHarness();
  const relay = startRelay(harness.server.app);
  stopRelay = () => relay.stop();
});
afterAll(async () => {
  for (const socket of sockets) await socket.dispose();
  await stopRelay();
  await harness.stop();
});

type Connection = {
  readonly edges: readonly { readonly cursor: string }[];
  readonly nodes: readonly Event[];
  readonly pageInfo: Record<string, unknown>;
};

async function query(variables: Record<string, unknown> = {}, token?: string): Promise<Connection> {
  await until(async () => (await oldestWaitingEvent(harness.server.app)) === null, 'the relay');
  const { body } = await harness.server.graphql<{ events: Connection }>(
    QUERY,
    variables,
    token ? { token } : {},
  );
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data.events;
}

function subscribe(variables: Record<string, unknown> = {}) {
  const socket = harness.server.socket();
  sockets.push(socket);
  return socket.iterate<{ events: Event }>({ query: SUBSCRIPTION, variables });
}

const errorOf = async (document: string, variables: Record<string, unknown>, token?: string) =>
  (await harness.server.graphql(document, variables, token ? { token } : {})).body.errors?.[0];

describe('query events', () => {
  it('shows every change of a payment with its cursor, text and the current transaction', async () => {
    const { pageInfo } = await query({ first: 100 });
    const id = await harness.authorized(1299);
    await harness.capture(id, { amount: 1000 });

    const found = await query({ after: pageInfo['endCursor'] });

    expect(found.nodes.map(({ name }) => name)).toEqual([
      'transaction.authorized',
      'capture.succeeded',
      'transaction.captured',
    ]);
    expect(found.nodes.map(({ transaction }) => transaction)).toEqual(
      [1, 2, 3].map(() => ({ id, status: 'CAPTURE_SUCCEEDED', capturedAmount: 1000 })),
    );
    expect(found.edges.map(({ cursor }) => cursor)).toEqual(found.nodes.map(({ cursor }) => cursor));
    expect(found.pageInfo).toMatchObject({ hasNextPage: false, endCursor: found.nodes.at(-1)?.cursor });
    for (const { id: eventId, name, payload, sequence, target } of found.nodes) {
      expect(JSON.parse(payload)).toMatchObject({ type: 'event', id: eventId, name, sequence, target });
    }
  });

  it('shows a merchant account only its own', async () => {
    await harness.authorized();
    const { token } = await harness.server.createMerchantAccount();

    expect((await query({}, token)).nodes).toEqual([]);
    const { nodes } = await query();
    expect(await errorOf(QUERY, { after: nodes[0]?.cursor }, token)).toMatchObject({
      extensions: { code: 'INVALID_INPUT', refusals: [{ path: ['after'] }] },
    });
  });

  it.each([
    [{ first: 0 }, 'INVALID_INPUT'],
    [{ after: 'x' }, 'INVALID_INPUT'],
    [{ last: 0 }, 'INVALID_INPUT'],
    [{ before: 'x' }, 'INVALID_INPUT'],
    [{ last: 1, after: encodeCursor('feed.default.1') }, 'INVALID_INPUT'],
    [{ types: ['x'] }, 'INVALID_INPUT'],
    [{ types: ['transaction.captured', 'test.a'] }, 'INVALID_INPUT'],
    [{ after: encodeCursor('feed.default.1000000') }, 'CURSOR_AHEAD'],
  ])('refuses %j with %s', async (variables, code) => {
    expect(await errorOf(QUERY, variables)).toMatchObject({ extensions: { code } });
  });

  it('requires the scope events.read', async () => {
    const token = await harness.server.mint({ scopes: ['transactions.read'] });

    expect(await errorOf(QUERY, {}, token)).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
  });
});

describe('subscription events', () => {
  it('delivers changes as they happen, the same as the query, and continues behind a cursor', async () => {
    const { pageInfo } = await query({ first: 100 });
    const live = subscribe({ types: ['transaction.*'], after: pageInfo['endCursor'] });
    const id = await harness.authorized(500);
    const first = await live.next();
    await harness.capture(id);
    const second = await live.next();
    await live.return?.(undefined);

    const resumed = subscribe({ after: (first.value as { data: { events: Event } }).data.events.cursor });
    const next = await resumed.next();
    await resumed.return?.(undefined);

    const { nodes } = await query({ after: pageInfo['endCursor'] });
    expect(
      [first, second].map(({ value }) => (value as { data: { events: Event } }).data.events.name),
    ).toEqual(['transaction.authorized', 'transaction.captured']);
    // Each event shows the transaction at the time of its delivery.
    expect(first.value).toMatchObject({
      data: { events: { transaction: { id, status: 'AUTHORIZATION_SUCCEEDED' } } },
    });
    expect(second.value).toEqual({
      data: { events: nodes.find(({ name }) => name === 'transaction.captured') },
    });
    expect(next.value).toMatchObject({ data: { events: { name: 'capture.succeeded' } } });
  });

  it('delivers the same over server-sent events', async () => {
    const { pageInfo } = await query({ first: 100 });
    const { url, token } = harness.server;
    const after = String(pageInfo['endCursor']);
    const text = `subscription { events(after: "${after}", types: ["capture.*"]) { ${EVENT} } }`;
    const stream = await openEventStream(`${url}/graphql`, text, { authorization: `Bearer ${token}` });
    await harness.capture(await harness.authorized(500));

    const events = [await stream.next(), await stream.next()];
    stream.close();

    const { nodes } = await query({ after });
    const captured = nodes.find(({ name }) => name === 'capture.succeeded');
    expect(events[0]).toBe(':');
    expect(events[1]?.split('\n')[0]).toBe('event: next');
    expect(JSON.parse(events[1]?.split('\ndata: ')[1] ?? '')).toEqual({ data: { events: captured } });
  });

  it('refuses a cursor ahead of the feed with its code', async () => {
    const first = await subscribe({ after: encodeCursor('feed.default.1000000') }).next();

    expect(first.value).toMatchObject({ errors: [{ extensions: { code: 'CURSOR_AHEAD' } }] });
  });
});
