import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createFeed, until } from './fake-feed.ts';
import { openEventStream, type EventStream } from './open-event-stream.ts';
import { connectRawSocket, openRawSocket } from './raw-socket.ts';

const SECRET = 'a secret of at least 32 characters, for routers';
const ROUTER = { 'x-router-secret': SECRET };
const EVENTS = 'subscription { events { name } }';
const SUBGRAPHS = { PAYGRAPH_SUBGRAPHS: 'true', PAYGRAPH_ROUTER_SECRET: SECRET };

const PATHS = [
  ['/graphql', {}],
  ['/subgraphs/events', ROUTER],
] as const;

describe.each(PATHS)('a subscription by POST to %s', (path, headers) => {
  let feed: ReturnType<typeof createFeed>;
  let server: TestServer;
  beforeAll(async () => {
    feed = createFeed();
    server = await startTestServer({ feedTail: feed.feedTail, settings: SUBGRAPHS, websocketPingMs: 50 });
  });
  afterAll(() => server.stop());

  const open = (query: string, more: Record<string, string> = {}): Promise<EventStream> =>
    openEventStream(server.url + path, query, {
      authorization: `Bearer ${server.token}`,
      ...headers,
      ...more,
    });

  it('is answered by an event stream that stays open, and ends its source with the connection', async () => {
    const stream = await open(EVENTS);
    await until(() => feed.followers() === 1);

    expect([stream.status, stream.mediaType]).toEqual([200, 'text/event-stream']);
    expect([await stream.next(), await stream.next()]).toEqual([':', ':']);
    stream.close();
    await until(() => feed.followers() === 0);
  });

  it('says how to subscribe to a caller who takes no event stream', async () => {
    const stream = await open(EVENTS, { accept: 'application/json' });

    expect([stream.status, stream.mediaType]).toEqual([200, 'application/json; charset=utf-8']);
    expect(await stream.text()).toContain('"code":"SUBSCRIPTION_NEEDS_WEBSOCKET"');
  });

  it.each([
    ['an invalid field', 'subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['an invalid argument', 'subscription { events(types: ["nothing"]) { name } }', 'INVALID_INPUT'],
    ['a syntax error', 'subscription {', 'GRAPHQL_PARSE_FAILED'],
  ])('refuses %s in the stream', async (_, query, code) => {
    const stream = await open(query);

    const events = (await stream.text()).split('\n\n').filter((event) => event !== ':');
    expect(events[0]).toMatch(/^event: next\ndata: \{"errors"/);
    expect(events[0]).toContain(`"code":"${code}"`);
    expect(events.slice(1)).toEqual(['event: complete\ndata:', '']);
  });

  it('is refused as JSON without a token', async () => {
    const stream = await open(EVENTS, { authorization: 'Bearer nothing' });

    expect(stream.status).toBe(401);
    expect(await stream.text()).toContain('UNAUTHENTICATED');
  });

  it('is refused without the scope', async () => {
    const token = await server.mint({ scopes: ['transactions.read'] });
    const stream = await open(EVENTS, { authorization: `Bearer ${token}` });

    expect(await stream.text()).toContain('"code":"FORBIDDEN"');
    expect(feed.followers()).toBe(0);
  });

  it('is ended by the end of the token, with a reason', async () => {
    const token = await server.mint({ lifetimeS: 1, ageS: 0 });
    const stream = await open(EVENTS, { authorization: `Bearer ${token}` });

    const text = await stream.text();

    expect(text).toContain('"code":"UNAUTHENTICATED"');
    expect(text.endsWith('event: complete\ndata:\n\n')).toBe(true);
    expect(feed.followers()).toBe(0);
  });

  it('shows a query in events to a caller who takes nothing else', async () => {
    const query = '{ eventTypes { __typename } }';
    const stream = await open(query);
    const json = await open(query, { accept: 'application/json, text/event-stream' });

    expect(stream.mediaType).toBe('text/event-stream');
    expect(await stream.text()).toMatch(/^event: next\ndata: \{"data":.*\}\n\nevent: complete\ndata:\n\n$/);
    expect(json.mediaType).toMatch(/^application\/json/);
    await json.text();
  });
});

describe('a subscription by POST', () => {
  it('is ended by the drain without a last event, so that the client connects again', async () => {
    const feed = createFeed();
    const server = await startTestServer({ feedTail: feed.feedTail });
    const authorization = `Bearer ${server.token}`;
    const stream = await openEventStream(`${server.url}/graphql`, EVENTS, { authorization });
    await server.http.close();

    expect((await stream.text()).replaceAll(':\n\n', '')).toBe('');
    expect(feed.followers()).toBe(0);
    await server.stop();
  });
});

describe('a websocket of a router', () => {
  const feed = createFeed();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ feedTail: feed.feedTail, settings: SUBGRAPHS });
  });
  afterAll(() => server.stop());
  const path = '/subgraphs/events';
  const subscribe = { id: '1', type: 'subscribe', payload: { query: EVENTS } };

  it('takes the secret and the token in the handshake', async () => {
    const headers = { ...ROUTER, authorization: `Bearer ${server.token}` };
    const socket = await openRawSocket(server.url, { path, headers });
    socket.send({ type: 'connection_init' });
    expect(await socket.next()).toMatchObject({ type: 'connection_ack' });
    socket.send(subscribe);
    await until(() => feed.followers() === 1);
    socket.close();
    await until(() => feed.followers() === 0);
  });

  it('takes the secret and the token in connection_init, in any letter case', async () => {
    const socket = await openRawSocket(server.url, { path });
    const payload = { 'X-Router-Secret': SECRET, Authorization: `Bearer ${server.token}` };
    socket.send({ type: 'connection_init', payload });

    expect(await socket.next()).toMatchObject({ type: 'connection_ack' });
    socket.send({ id: '2', type: 'subscribe', payload: { query: '{ transactions { nodes { id } } }' } });
    expect(await socket.next()).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
    });
    socket.close();
  });

  it.each([
    ['without the secret', {}],
    ['with a wrong secret', { 'x-router-secret': SECRET.replace('a', 'b') }],
  ])('is closed with 4401 %s', async (_, secret) => {
    const socket = await openRawSocket(server.url, { path });
    socket.send({
      type: 'connection_init',
      payload: { ...secret, authorization: `Bearer ${server.token}` },
    });

    expect(await socket.closed).toEqual({
      code: 4401,
      reason: 'The secret of the router is missing or wrong',
    });
  });

  it('takes no token from the handshake at the path of callers', async () => {
    const headers = { authorization: `Bearer ${server.token}` };
    const socket = await openRawSocket(server.url, { headers });
    socket.send({ type: 'connection_init' });

    expect(await socket.closed).toMatchObject({ code: 4401 });
  });

  it('exists only for the subgraphs, when they are served', async () => {
    const other = await startTestServer();
    const refused = (url: string, at: string) =>
      connectRawSocket(url, server.token, { path: at }).catch((error: unknown) =>
        error instanceof Error ? error.message : '',
      );

    expect([await refused(server.url, '/subgraphs/nothing'), await refused(other.url, path)]).toEqual([
      '404',
      '404',
    ]);
    await other.stop();
  });
});
