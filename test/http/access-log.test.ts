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

const REQUEST = { ms: expect.any(Number), requestId: expect.any(String), msg: 'Request.' };

describe('the access log', () => {
  it('has a line for a query, the first time and when it comes again', async () => {
    const document = 'query Names($first: Int) { transactions(first: $first) { nodes { id } } }';
    const line = {
      ...REQUEST,
      ...{ level: 30, time: expect.any(Number), method: 'POST', route: '/graphql' },
      ...{ operation: 'Names', kind: 'query', account: server.merchantAccountId, status: 200 },
    };
    for (let time = 0; time < 4; time += 1)
      expect(await during(() => server.graphql(document, { first: 1 }))).toEqual([line]);
  });

  it('has a line for a refused request, without its token', async () => {
    const [line] = await during(() => server.graphql('{ __typename }', {}, { token: 'nonsense' }));

    expect(line).toMatchObject({
      ...REQUEST,
      route: '/graphql',
      operation: null,
      account: null,
      status: 401,
    });
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

    expect(rest).toMatchObject({ method: 'GET', route: '/transactions', account: server.merchantAccountId });
    expect(webhook).toMatchObject({ method: 'POST', route: '/webhooks/:token', account: null });
    expect(unserved).toMatchObject({ route: null, status: 404 });
    expect(named).toMatchObject({ operation: '_…' });
    expect(server.logs()).not.toMatch(/4111|4242424242|5555555555|4000000000/);
  });

  it('has a line for a websocket and each of its operations', async () => {
    const lines = await during(async () => {
      const socket = await connectRawSocket(server.url, server.token);
      socket.send({ id: '1', type: 'subscribe', payload: { query: 'query Once { __typename }' } });
      await socket.next();
      socket.send({ id: '2', type: 'subscribe', payload: { query: 'subscription { events { id } }' } });
      await until(() => server.logs().includes('"kind":"subscription"'), 'the subscription');
      socket.close();
    }, 3);
    const account = server.merchantAccountId;

    expect(lines).toMatchObject([
      { transport: 'websocket', account, refused: null, msg: 'A websocket connected.' },
      { transport: 'websocket', kind: 'query', operation: 'Once', account, failed: false },
      { transport: 'websocket', kind: 'subscription', operation: null, account, failed: false },
    ]);
  });

  it('leaves out probes that succeed', async () => {
    const lines = await during(async () => {
      await fetch(`${server.url}/health`);
      await fetch(`${server.url}/ready`);
      await fetch(`${server.url}/docs`);
    });

    expect(lines.map(({ route }) => route)).not.toContain('/health');
    expect(lines.map(({ route }) => route)).not.toContain('/ready');
  });

  it.each([{ PAYGRAPH_ACCESS_LOG: 'false' }, { LOG_LEVEL: 'warn' }])('is off with %j', async (settings) => {
    const quiet = await startTestServer({ settings });
    await quiet.graphql('{ __typename }');
    await quiet.stop();

    expect(linesOf(quiet)).toEqual([]);
  });
});
