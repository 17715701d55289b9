import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorkerHttp } from '../../src/http/worker-server.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

type Worker = Awaited<ReturnType<typeof startWorkerHttp>>;

let server: TestServer;
let bare: TestServer;
let worker: Worker;
beforeAll(async () => {
  const settings = { PAYGRAPH_METRICS: 'true', PAYGRAPH_PUBLIC_URL: 'https://pay.example.com' };
  [server, bare] = await Promise.all([startTestServer({ settings }), startTestServer()]);
  worker = await startWorkerHttp(server.app, { works: () => true });
});
afterAll(async () => {
  await worker.close();
  await Promise.all([server.stop(), bare.stop()]);
});

const statusOf = async (path: string, init: RequestInit = {}): Promise<number> =>
  (await fetch(`${worker.url}${path}`, init)).status;

/** The metrics that the operator's page says a worker alone lacks. */
const OF_REQUESTS = [
  'http_server_request_duration_seconds',
  'paygraph_operations_total',
  'paygraph_operation_duration_seconds',
  'paygraph_websockets',
  'paygraph_budget_spent_total',
  'paygraph_requests_refused_total',
];

describe('a process without the role api', () => {
  it('says that it lives, and is ready once it works and while its checks pass', async () => {
    const before = await statusOf('/ready');
    worker.setReady(true);
    const after = await fetch(`${worker.url}/ready`);

    expect([before, after.status, await statusOf('/health')]).toEqual([503, 200, 200]);
    expect(await after.json()).toEqual({ status: 'ready', checks: { works: 'ok' } });
  });

  it('is not ready while a check fails, and says why', async () => {
    const failing = await startWorkerHttp(server.app, { works: () => 'The disk is full.' });
    failing.setReady(true);
    const answer = await fetch(`${failing.url}/ready`);
    await failing.close();

    expect([answer.status, await answer.json()]).toEqual([
      503,
      { status: 'failing', checks: { works: 'failed' }, reasons: { works: 'The disk is full.' } },
    ]);
  });

  it('serves the documented metrics but those of requests', async () => {
    const page = readFileSync('src/docs/operate/monitor.md', 'utf8');
    const documented = [...page.matchAll(/^\| `((?:paygraph|http|db)_\w+)`/gm)].map(([, name = '']) => name);
    const metrics = await (await fetch(`${worker.url}/metrics`)).text();
    const served = [...metrics.matchAll(/^# TYPE ((?:paygraph|http|db)_\w+)/gm)].map(([, name = '']) => name);

    expect(served.toSorted()).toEqual(documented.filter((name) => !OF_REQUESTS.includes(name)).toSorted());
    for (const name of OF_REQUESTS) expect(page).toContain(`- \`${name}\``);
  });

  it('serves no metrics unless configured', async () => {
    const other = await startWorkerHttp(bare.app, {});
    const answer = await fetch(`${other.url}/metrics`);
    await other.close();

    expect(answer.status).toBe(404);
  });

  it.each<[string, RequestInit]>([
    ['/', {}],
    ['/openapi', {}],
    ['/docs', {}],
    ['/metrics', { method: 'POST' }],
    ['/transactions', { method: 'POST', body: '{ no JSON', headers: { 'content-type': 'application/json' } }],
    ['/webhooks/token', { method: 'POST', body: '<x/>', headers: { 'content-type': 'text/xml' } }],
  ])('answers 404 at %s %j, and says where to go', async (path, init) => {
    const answer = await fetch(`${worker.url}${path}`, init);

    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      ...{ type: 'error', status: 404, code: 'not_found' },
      message: expect.stringMatching(/Send the request to a process with the role api\.$/),
    });
  });

  it('answers 404 in the form of GraphQL at /graphql, also for a websocket', async () => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${server.token}` };
    const body = '{"query":"{ __typename }"}';
    const asked = await fetch(`${worker.url}/graphql`, { method: 'POST', headers, body });
    const upgraded = await new Promise<IncomingMessage>((resolve, reject) =>
      get(
        `${worker.url}/graphql`,
        { headers: { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'x' } },
        resolve,
      ).on('error', reject),
    );

    for (const [status, answer] of [
      [asked.status, await asked.text()],
      [upgraded.statusCode, await text(upgraded)],
    ] as const) {
      expect(status).toBe(404);
      expect(JSON.parse(answer)).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
    }
  });

  it('refuses a foreign host as the api does', async () => {
    const reply = await new Promise<IncomingMessage>((resolve, reject) =>
      get(`${worker.url}/docs`, { headers: { host: 'evil.example' } }, resolve).on('error', reject),
    );
    reply.resume();

    expect(reply.statusCode).toBe(421);
  });

  it('has a line in the log for a failed probe alone', async () => {
    const before = server.logs().length;
    await statusOf('/health');
    const failing = await startWorkerHttp(server.app, { works: () => false });
    const failed = await fetch(`${failing.url}/ready`);
    await failing.close();
    const lines = server.logs().slice(before).split('\n').filter(Boolean);

    expect(failed.status).toBe(503);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ 'http.route': '/ready' }]);
    expect(lines).toHaveLength(1);
  });
});
