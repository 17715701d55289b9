import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createTestServerService } from './inbound-service.ts';
import { connectRawSocket } from './raw-socket.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

type Line = { readonly msg: string; readonly [field: string]: unknown };

const linesOf = (given: TestServer): readonly Line[] =>
  given
    .logs()
    .split('\n')
    .filter((line) => /"msg":"(?:Request|Operation of a websocket|A websocket)\b/.test(line))
    .map((line) => JSON.parse(line) as Line);

/** Returns the next lines that some work makes, at least one. The end of a request comes after its answer. */
async function during(work: () => Promise<unknown>, count = 1): Promise<readonly Line[]> {
  const before = linesOf(server).length;
  await work();
  await until(() => linesOf(server).length >= before + count, 'the lines');
  return linesOf(server).slice(before);
}

const REQUEST = {
  'http.server.request.duration': expect.any(Number),
  'paygraph.request.id': expect.stringMatching(/^[\da-f-]{36}$/),
  msg: 'Request.',
};
const ACCOUNT = 'paygraph.merchant_account.id';

describe('the access log', () => {
  it('has a line for a query, the first time and when it comes again', async () => {
    const document = 'query Names($first: Int) { transactions(first: $first) { nodes { id } } }';
    const line = {
      ...REQUEST,
      ...{ level: 30, time: expect.any(Number), [ACCOUNT]: server.merchantAccountId },
      ...{ 'http.request.method': 'POST', 'http.route': '/graphql', 'http.response.status_code': 200 },
      ...{ 'graphql.operation.name': 'Names', 'graphql.operation.type': 'query' },
    };
    for (let time = 0; time < 4; time += 1)
      expect(await during(() => server.graphql(document, { first: 1 }))).toEqual([line]);
  });

  it('has a line for a caller who hangs up before the answer', async () => {
    const socket = connect(server.http.port, '127.0.0.1');
    await once(socket, 'connect');
    const head = ['POST /graphql HTTP/1.1', 'host: localhost', `authorization: Bearer ${server.token}`];
    const body = ['content-type: application/json', 'content-length: 100', 'expect: 100-continue', '', ''];
    socket.write([...head, ...body].join('\r\n'));
    // The server has taken the request, and waits for its body.
    await once(socket, 'data');
    const [line] = await during(async () => void socket.destroy());

    expect(line).toMatchObject({ ...REQUEST, 'error.type': 'caller_hung_up', 'http.route': '/graphql' });
    expect(line).not.toHaveProperty(['http.response.status_code']);
  });

  it('has a line for a refused request, without its token', async () => {
    const [line] = await during(() => server.graphql('{ __typename }', {}, { token: 'nonsense' }));

    expect(line).toMatchObject({
      ...REQUEST,
      ...{ 'http.route': '/graphql', 'http.response.status_code': 401 },
    });
    expect(Object.keys(line ?? {}).filter((name) => /operation|account/.test(name))).toEqual([]);
    expect(server.logs()).not.toContain('nonsense');
  });

  it('shows patterns of paths, and no values of a caller', async () => {
    const authorization = `Bearer ${server.token}`;
    const [rest] = await during(() =>
      fetch(`${server.url}/transactions?external_identifier=4111111111111111`, {
        headers: { authorization },
      }),
    );
    let webhookUrl = '';
    await during(async () => ({ webhookUrl } = await createTestServerService(server, null)));
    const [webhook] = await during(() =>
      fetch(`${webhookUrl}?of=4242424242424242`, { method: 'POST', body: '{"id":"5555555555554444"}' }),
    );
    const [unserved] = await during(() => fetch(`${server.url}/4000000000000002?a=b`));
    const [named] = await during(() => server.graphql('query _4111_1111_1111_1111 { __typename }'));

    expect(rest).toMatchObject({ 'http.route': '/transactions', [ACCOUNT]: server.merchantAccountId });
    expect(webhook).toMatchObject({ 'http.request.method': 'POST', 'http.route': '/webhooks/:token' });
    expect(webhook).not.toHaveProperty([ACCOUNT]);
    expect(unserved).toMatchObject({ 'http.response.status_code': 404 });
    expect(unserved).not.toHaveProperty(['http.route']);
    expect(named).toMatchObject({ 'graphql.operation.name': '_…' });
    expect(server.logs()).not.toMatch(/4111|4242424242|5555555555|4000000000/);
  });

  it('has a line for a websocket and each of its operations', async () => {
    const lines = await during(async () => {
      const socket = await connectRawSocket(server.url, server.token);
      socket.send({ id: '1', type: 'subscribe', payload: { query: 'query Once { __typename }' } });
      await socket.next();
      socket.send({ id: '2', type: 'subscribe', payload: { query: 'subscription { events { id } }' } });
      await until(
        () => server.logs().includes('"graphql.operation.type":"subscription"'),
        'the subscription',
      );
      socket.close();
    }, 3);
    const always = { 'network.protocol.name': 'websocket', [ACCOUNT]: server.merchantAccountId };

    expect(lines).toMatchObject([
      { ...always, refused: null, msg: 'A websocket connected.' },
      {
        ...always,
        'graphql.operation.type': 'query',
        'graphql.operation.name': 'Once',
        'paygraph.failed': false,
      },
      { ...always, 'graphql.operation.type': 'subscription', 'paygraph.failed': false },
    ]);
  });

  it('leaves out probes that succeed', async () => {
    const lines = await during(async () => {
      await fetch(`${server.url}/health`);
      await fetch(`${server.url}/ready`);
      await fetch(`${server.url}/docs`);
    });

    expect(lines.map((line) => line['http.route'])).not.toContain('/health');
    expect(lines.map((line) => line['http.route'])).not.toContain('/ready');
  });

  it.each([{ PAYGRAPH_ACCESS_LOG: 'false' }, { LOG_LEVEL: 'warn' }])('is off with %j', async (settings) => {
    const quiet = await startTestServer({ settings });
    await quiet.graphql('{ __typename }');
    await quiet.stop();

    expect(linesOf(quiet)).toEqual([]);
  });
});
