import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEndpoint } from '../dashboard/seed.ts';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';
import { authorization, payloadOf, post } from '../support/payments.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { startCollector, type CollectedSpan, type Collector } from './collector.ts';

// A process with its traces, a collector, a provider, and a receiver of webhooks, all over real sockets.

let database: TestDatabase;
let collector: Collector;
let provider: FakeProvider;
let receiver: Receiver;
let server: ServerProcess;
let service: string;
let webhookUrl: string;

const MASTER_KEY = randomBytes(32).toString('base64');

beforeAll(async () => {
  [database, collector, provider, receiver] = await Promise.all([
    createTestDatabase(),
    startCollector(),
    startFakeProvider(),
    startReceiver(),
  ]);
  server = await startProcess({
    DATABASE_URL: database.url,
    PAYGRAPH_MASTER_KEY: MASTER_KEY,
    PAYGRAPH_TRACES_URL: collector.url,
    PAYGRAPH_TRACES_HEADERS: 'x-team=payments',
    PAYGRAPH_TRACES_PERCENT: '100',
    LOG_LEVEL: 'info',
  });
  ({ id: service, webhookUrl } = await createService());
  await createEndpoint(server, receiver.url);
}, 120_000);
afterAll(async () => {
  await server.stop();
  await Promise.all([collector.close(), provider.close(), receiver.close()]);
  await database.drop();
});

/** The span of the caller. */
const CALLER = 'b'.repeat(16);

type Created = {
  readonly made: { readonly paymentService: { readonly id: string; readonly webhookUrl: string } };
};

async function createService(): Promise<Created['made']['paymentService']> {
  const { body } = await server.graphql<Created>(
    `mutation ($url: String!) { made: createPaymentService(input: {
      displayName: "Acquirer", paymentServiceDefinitionId: "mock-acquirer",
      fields: [{ key: "merchant_id", value: "x" }, { key: "api_url", value: $url }],
      acceptedCurrencies: ["USD"], acceptedCountries: ["US"] }) { paymentService { id webhookUrl } } }`,
    { url: provider.url },
  );
  if (!body.data) throw new Error(JSON.stringify(body));
  return body.data.made.paymentService;
}

/** Sends a payment within the trace of its caller. Returns the payment's id. */
async function pay(amount: number, header: string): Promise<string> {
  const answer = await post(server, authorization(amount, service), { traceparent: header });
  return payloadOf(answer.text)?.transaction?.id ?? '';
}

const named =
  (name: string, traceId: string) =>
  (span: CollectedSpan): boolean =>
    span.name === name && span.traceId === traceId;

/** Names the spans on the way from a span up to the caller. */
function pathOf(span: CollectedSpan): readonly string[] {
  const parent = collector.spans().find(({ spanId }) => spanId === span.parentSpanId);
  return [...(parent ? pathOf(parent) : [span.parentSpanId ?? '']), span.name];
}

/** Lists the spans of a trace, each with its way from the caller. */
const pathsOf = (trace: string): readonly string[] =>
  collector
    .spans()
    .filter(({ traceId }) => traceId === trace)
    .map((span) => pathOf(span).join(' > '));

/** A trace that its caller records. */
const recorded = (trace: string): string => `00-${trace}-${CALLER}-01`;

describe('the trace of a payment', () => {
  it('goes from the caller over claim, provider and settlement to the webhook', async () => {
    const trace = 'a1'.repeat(16);
    await pay(1_000, recorded(trace));
    const attempt = await collector.find(named('webhook attempt', trace), 'an attempt');
    const sent = await collector.find(
      ({ name, parentSpanId }) => name === 'POST' && parentSpanId === attempt.spanId,
      'the request of the attempt',
    );
    await collector.find(named('POST /graphql', trace), 'the end of the request');
    const field = `${CALLER} > POST /graphql > Mutation.createTransaction`;
    const settled = `${field} > settle_authorize_succeeded`;

    expect(pathsOf(trace)).toEqual(
      expect.arrayContaining([
        `${CALLER} > POST /graphql`,
        field,
        `${field} > claim_authorize`,
        `${field} > POST`,
        settled,
        `${settled} > webhook attempt > relay`,
        `${settled} > webhook attempt > POST`,
      ]),
    );
    expect(receiver.received.map(({ headers }) => headers['traceparent'])).toContain(
      `00-${trace}-${sent.spanId}-01`,
    );
    expect(sent.attributes.get('http.response.status_code')).toBe(204);
  }, 60_000);

  it('has the reconciliation of an unknown outcome', async () => {
    const trace = 'a2'.repeat(16);
    provider.failNext('lose_answer');
    await pay(1_100, recorded(trace));
    await collector.find(named('reconcile', trace), 'the reconciliation');
    const [lost] = collector
      .spans()
      .filter(({ name, traceId, status }) => name === 'POST' && traceId === trace && status.code === 2);

    expect(lost?.attributes.get('error.type')).toBe('connection_lost');
    expect(pathsOf(trace)).toContainEqual(
      expect.stringMatching(/Mutation\.createTransaction .*> reconcile > settle_/),
    );
  }, 90_000);

  it('is linked from the trace of a webhook of the provider', async () => {
    const trace = 'a3'.repeat(16);
    const id = await pay(600_001, recorded(trace));
    const [operation] = await query<{ key: string; token: string }>(
      database.url,
      'SELECT coalesce(provider_key, id) AS key FROM operation WHERE transaction_id = $1',
      [id],
    );
    const event = { id: 'evt_1', event: 'authorization.succeeded', idempotency_key: operation?.key };
    const answer = await fetch(webhookUrl, { method: 'POST', body: JSON.stringify(event) });
    expect(answer.status).toBe(200);
    const applied = await collector.find(({ name }) => name === 'apply webhook', 'the webhook');

    expect(applied.links?.map(({ traceId }) => traceId)).toEqual([trace]);
    expect(applied.traceId).not.toBe(trace);
  }, 60_000);

  it('begins in a REST path, and in an operation over a websocket', async () => {
    const trace = 'a4'.repeat(16);
    const headers = { authorization: `Bearer ${server.token}`, traceparent: recorded(trace) };
    await fetch(`${server.url}/transactions`, { headers });
    await collector.find(named('GET /transactions', trace), 'the request');
    const client = server.socket();
    for await (const { errors } of client.iterate({
      query: 'mutation { createBuyer(input: { displayName: "Ada" }) { buyer { id } } }',
    }))
      expect(errors).toBeUndefined();
    await client.dispose();
    const field = await collector.find(({ name }) => name === 'Mutation.createBuyer', 'the mutation');

    expect(pathOf(field)).toEqual(['', 'mutation', 'Mutation.createBuyer']);
  }, 60_000);

  it('is named in the log, and by the request in the trace', async () => {
    const trace = 'a5'.repeat(16);
    const id = await pay(1_200, recorded(trace));
    const span = await collector.find(named('POST /graphql', trace), 'the request');
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.includes(trace));
    const line = JSON.parse(lines[0] ?? '{}') as Readonly<Record<string, unknown>>;

    expect(id).not.toBe('');
    expect(line).toMatchObject({ trace_id: trace, span_id: span.spanId, msg: 'Request.' });
    expect(span.attributes.get('paygraph.request.id')).toBe(line['paygraph.request.id']);
    expect(span.attributes.get('graphql.operation.type')).toBe('mutation');
  }, 60_000);

  it('is not recorded when its caller does not record it', async () => {
    const [trace, next] = ['a6'.repeat(16), 'a7'.repeat(16)];
    await pay(1_300, `00-${trace}-${CALLER}-00`);
    await pay(1_300, recorded(next));
    await collector.find(named('webhook attempt', next), 'the next trace');

    expect(pathsOf(trace)).toEqual([]);
  }, 60_000);

  it('holds no card, no token and no name', () => {
    const text = collector.text();
    const secrets = [
      '4111 1111 1111 1111',
      '4111111111111111',
      server.token,
      webhookUrl,
      '"Ada"',
      'createTransaction(input',
    ];

    expect(text).toContain('"x-team":"payments"');
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });
});

it.each(['away', 'silent'])(
  'a collector that is %s holds up no payment, and the stop for a moment',
  async (how) => {
    const silent = await startReceiver();
    silent.answer(() => undefined);
    const other = await startProcess({
      DATABASE_URL: database.url,
      PAYGRAPH_MASTER_KEY: MASTER_KEY,
      PAYGRAPH_TRACES_URL: how === 'silent' ? silent.url : 'http://127.0.0.1:9/v1/traces',
      PAYGRAPH_TRACES_PERCENT: '100',
    });
    const answer = await post(other, authorization(1_400, service));

    expect(payloadOf(answer.text)?.transaction?.status).toBe('AUTHORIZATION_SUCCEEDED');
    expect((await other.stop()).code).toBe(0);
    await silent.close();
  },
  60_000,
);
