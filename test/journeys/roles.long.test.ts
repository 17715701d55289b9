import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { paygraph } from '../support/command.ts';
import { createCuttableDatabase, type CuttableDatabase } from '../support/cut-database.ts';
import {
  startProcess,
  startWorkerProcess,
  type ServerProcess,
  type WorkerProcess,
} from '../support/process.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

let database: CuttableDatabase;
let receiver: Receiver;
let api: ServerProcess;
let worker: WorkerProcess;

const SHARED = {
  PAYGRAPH_MASTER_KEY: randomBytes(32).toString('base64'),
  PAYGRAPH_METRICS: 'true',
};

beforeAll(async () => {
  [database, receiver] = await Promise.all([createCuttableDatabase(), startReceiver()]);
  api = await startProcess({ ...SHARED, DATABASE_URL: database.directUrl, PAYGRAPH_ROLES: 'api' });
  worker = await startWorkerProcess({
    ...SHARED,
    DATABASE_URL: database.url,
    PAYGRAPH_PUBLIC_URL: api.url,
    // No broker answers there, so the events of the outlet wait.
    PAYGRAPH_OUTLET_NATS_URL: 'nats://127.0.0.1:1',
  });
}, 30_000);
afterAll(async () => {
  await Promise.all([api.stop(), worker.kill()]);
  await Promise.all([receiver.close(), database.drop()]);
});

type Ready = { readonly status: number; readonly body: { readonly checks: Record<string, string> } };

async function readinessOf({ url }: { readonly url: string }): Promise<Ready> {
  const answer = await fetch(`${url}/ready`);
  return { status: answer.status, body: (await answer.json()) as Ready['body'] };
}

/** Reads the value of a sample. Null if the process does not serve it. */
async function sampleOf({ url }: { readonly url: string }, sample: string): Promise<number | null> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const line = metrics.split('\n').find((each) => each.startsWith(`${sample} `));
  return line === undefined ? null : Number(line.slice(sample.length));
}

async function pay(): Promise<void> {
  const { body } = await api.graphql<{ createTransaction: { transaction: { status: string } } }>(
    `mutation { createTransaction(input: { amount: 1299, currency: "USD",
      paymentMethod: { card: { number: "4111 1111 1111 1111", expirationDate: "12/40" } } }) { transaction { status } } }`,
  );
  expect(body.data?.createTransaction.transaction.status).toBe('AUTHORIZATION_SUCCEEDED');
}

const SUCCEEDED = 'paygraph_webhook_attempts_total{verdict="success"}';
const roundsOf = (loop: string): string => `paygraph_loop_rounds_total{loop="${loop}",outcome="done"}`;

describe('a worker beside a process for requests', () => {
  it('is ready, and serves nothing but its probes and metrics', async () => {
    const statusOf = async (path: string, init?: RequestInit): Promise<number> =>
      (await fetch(`${worker.url}${path}`, init)).status;
    const paid = {
      ...{ method: 'POST', body: '{"query":"{ __typename }"}' },
      headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
    };

    expect(await readinessOf(worker)).toMatchObject({
      status: 200,
      body: { checks: { database: 'ok', payments: 'ok', relay: 'ok', partitions: 'ok' } },
    });
    expect(await Promise.all(['/health', '/metrics'].map((path) => statusOf(path)))).toEqual([200, 200]);
    expect(await Promise.all(['/', '/docs', '/dashboard'].map((path) => statusOf(path)))).toEqual([
      404, 404, 404,
    ]);
    expect([await statusOf('/graphql', paid), (await fetch(`${api.url}/graphql`, paid)).status]).toEqual([
      404, 200,
    ]);
  });

  it('delivers the events of a payment that the api took, and counts that itself', async () => {
    await api.graphql(
      'mutation ($url: String!) { createWebhookEndpoint(input: { url: $url }) { userErrors { message } } }',
      { url: receiver.url },
    );
    await pay();
    await until(async () => ((await sampleOf(worker, SUCCEEDED)) ?? 0) > 0, 'the count of the attempt');

    expect(receiver.received.map(({ body }) => body)).toEqual([
      expect.stringContaining('"transaction.authorized"'),
    ]);
    expect([await sampleOf(worker, SUCCEEDED), await sampleOf(api, SUCCEEDED)]).toEqual([1, null]);
    for (const loop of ['relay', 'dispatcher', 'reconciler', 'feed check']) {
      expect({ loop, rounds: await sampleOf(worker, roundsOf(loop)) }).toEqual({
        ...{ loop, rounds: expect.any(Number) },
      });
      expect(await sampleOf(api, roundsOf(loop))).toBeNull();
    }
  });

  it('passes the checks of the doctor, who asks a worker for no endpoints', async () => {
    const { stdout, code } = await paygraph(['doctor', '--json'], {
      ...SHARED,
      ...{ DATABASE_URL: database.directUrl, PORT: new URL(worker.url).port, PAYGRAPH_ROLES: 'worker' },
      ...{ PAYGRAPH_PUBLIC_URL: api.url, PAYGRAPH_DATA_DIR: worker.dataFolder },
    }).ended;
    const { findings } = JSON.parse(stdout) as { findings: { check: string; sentence: string }[] };

    expect({ code, findings: findings.slice(-2) }).toEqual({
      code: 0,
      findings: [
        { check: 'service', state: 'ok', sentence: `${worker.url} is ready.` },
        { check: 'public address', state: 'ok', sentence: `${api.url} reaches the service.` },
      ],
    });
  });

  it('counts the rounds of its outlet, and stays ready while the broker is away', async () => {
    await until(
      async () => (await sampleOf(worker, 'paygraph_outlet_backlog{outlet="nats:paygraph"}')) === 1,
      'the backlog of the outlet',
    );

    expect(await sampleOf(worker, roundsOf('outlet nats:paygraph'))).toBeGreaterThan(0);
    expect((await readinessOf(worker)).status).toBe(200);
  });

  it('is alive but not ready while Postgres is away, and ready again afterwards', async () => {
    await database.cut();
    await until(async () => (await readinessOf(worker)).status === 503, 'the outage');
    const { body } = await readinessOf(worker);

    expect(body.checks).toMatchObject({ database: 'failed', payments: 'failed', relay: 'failed' });
    expect((await fetch(`${worker.url}/health`)).status).toBe(200);
    await until(
      async () => (await sampleOf(worker, 'paygraph_loop_failing{loop="relay"}')) === 1,
      'a failing loop',
    );
    await until(
      async () => (await sampleOf(worker, 'paygraph_database_figures')) === 0,
      'the lack of figures',
    );
    expect((await readinessOf(api)).status).toBe(200);

    await pay();
    await database.mend();
    await until(async () => (await readinessOf(worker)).status === 200, 'the end of the outage');
    await until(() => receiver.received.length === 2, 'the webhook of the payment meanwhile');
    await until(
      async () => (await sampleOf(worker, 'paygraph_loop_failing{loop="relay"}')) === 0,
      'the relay',
    );
  });

  it('refuses a start at a port that another program has', async () => {
    const second = await paygraph(['start'], {
      ...SHARED,
      ...{ DATABASE_URL: database.directUrl, PORT: new URL(worker.url).port, PAYGRAPH_ROLES: 'worker' },
    }).ended;

    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`Another program listens on port ${new URL(worker.url).port}`);
  });

  it('tells of itself until its work has ended, but is not ready any more', async () => {
    const held: ServerResponse[] = [];
    receiver.answer((response) => void held.push(response));
    await pay();
    await until(() => receiver.received.length === 3, 'the webhook under way');
    const stopped = worker.stop();
    await until(async () => (await readinessOf(worker)).status === 503, 'the stop');

    expect((await readinessOf(worker)).body).toMatchObject({ status: 'not_accepting' });
    expect(await sampleOf(worker, SUCCEEDED)).toBe(2);
    for (const response of held) response.writeHead(204).end();
    expect((await stopped).code).toBe(0);
  });
});
