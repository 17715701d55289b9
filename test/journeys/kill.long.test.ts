import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';
import { until } from '../support/until.ts';
import { COUNT_WAITING } from '../support/waiting-events.ts';

/** The points in a capture at which a process dies, and the total number of calls to the provider. */
const DEATHS = [
  { point: 'capture.claimed', calls: 1 },
  { point: 'capture.called', calls: 2 },
] as const;

/** A payment and the fate of the process that captured it. */
type Payment = {
  readonly id: string;
  /** The provider's id of the payment. */
  readonly reference: string;
  readonly answer: unknown;
  readonly exitCode: number | null;
};

let provider: FakeProvider;
let database: TestDatabase;
let survivor: ServerProcess;
const payments = new Map<string, Payment>();

const MASTER_KEY = randomBytes(32).toString('base64');

const start = (failpoints = ''): Promise<ServerProcess> =>
  startProcess({
    DATABASE_URL: database.url,
    PAYGRAPH_MASTER_KEY: MASTER_KEY,
    // A short deadline, because an operation belongs to its caller for five seconds more.
    PAYGRAPH_PROVIDER_DEADLINE_MS: '4000',
    PAYGRAPH_FAILPOINTS: failpoints,
  });

// One story: processes on one database die one after the other. The last process finishes their work.
beforeAll(async () => {
  [provider, database] = await Promise.all([startFakeProvider(), createTestDatabase()]);
  const doomed = await Promise.all(
    DEATHS.map(async ({ point }) => ({ point, server: await start(`${point}=kill`) })),
  );
  let paymentServiceId: string | null = null;
  for (const { point, server } of doomed) {
    paymentServiceId ??= await createService(server);
    const payment = await authorize(server, paymentServiceId);
    const answer = await capture(server, payment.id, point).catch(() => 'none');
    payments.set(point, { ...payment, answer, exitCode: (await server.ended).code });
  }
  survivor = await start();
}, 120_000);

afterAll(async () => {
  await survivor.stop();
  await Promise.all([provider.close(), database.drop()]);
});

describe('a capture', () => {
  it.each(DEATHS)(
    'whose process was killed at $point is made once and published once',
    async ({ point, calls }) => {
      const payment = payments.get(point);
      const { id = '', reference } = payment ?? {};
      // The dead process's lease lasts 9 s. Then reconciliation, which looks every second, takes over.
      await until(async () => (await statusOf(id)) === 'CAPTURE_SUCCEEDED', 'reconciliation');

      const made = provider.calls.filter((call) => call.payment_id === reference);
      const again = await capture(survivor, id, point);
      await until(async () => (await eventsOf(id)).includes('transaction.captured'), 'the relay');

      expect(payment).toMatchObject({ answer: 'none', exitCode: null });
      const key = made[0]?.idempotency_key ?? '';
      const [{ id: operationId } = { id: '' }] = await query<{ id: string }>(
        database.url,
        'SELECT id FROM operation WHERE provider_key = $1',
        [key],
      );
      expect(made).toEqual(
        Array.from({ length: calls }, () => ({
          operation: 'capture',
          idempotency_key: key,
          payment_id: reference,
          amount: 1000,
          currency: 'USD',
          final: true,
        })),
      );
      expect(provider.books.get(key)).toMatchObject({ result: 'approved', amount: 1000 });
      expect(again).toEqual({
        capture: { id: operationId, amount: 1000, status: 'SUCCEEDED' },
        transaction: { id, status: 'CAPTURE_SUCCEEDED', capturedAmount: 1000, refundable: { amount: 1000 } },
        userErrors: [],
        replayed: true,
      });
      expect(provider.calls.filter((call) => call.payment_id === reference)).toHaveLength(calls);
      expect(await eventsOf(id)).toEqual([
        'transaction.authorized',
        'capture.succeeded',
        'transaction.captured',
      ]);
    },
  );
});

it('every record of the killed processes is there, and none twice', async () => {
  const counts = `SELECT (SELECT count(*)::int FROM payment_service) AS services, (SELECT count(*)::int FROM transaction) AS transactions,
    (SELECT count(*)::int FROM operation) AS operations, (SELECT count(*)::int FROM ledger_entry) AS entries,
    (SELECT count(*)::int FROM event) AS events, (${COUNT_WAITING}) AS waiting,
    (SELECT count(*)::int FROM idempotency_key k JOIN operation o ON o.id = k.resource_id::uuid
      WHERE k.operation = 'captureTransaction' AND o.answer IS NOT NULL) AS keys`;

  // Two services, the sandbox's and the test's. Each payment has an authorisation and a capture.
  expect(await query(database.url, counts)).toEqual([
    { services: 2, transactions: 2, operations: 4, entries: 4, events: 6, waiting: 0, keys: 2 },
  ]);
  expect(provider.books.size).toBe(4);
});

async function createService(server: ServerProcess): Promise<string> {
  const { body } = await server.graphql<{ createPaymentService: { paymentService: { id: string } } }>(
    `mutation ($url: String!) { createPaymentService(input: {
      displayName: "Provider of the test", paymentServiceDefinitionId: "mock-card",
      fields: [{ key: "merchant_id", value: "test" }, { key: "api_url", value: $url }],
      acceptedCurrencies: ["USD"], acceptedCountries: ["US"] }) { paymentService { id } userErrors { message } } }`,
    { url: provider.url },
  );
  return body.data?.createPaymentService.paymentService.id ?? '';
}

async function authorize(
  server: ServerProcess,
  paymentServiceId: string,
): Promise<Pick<Payment, 'id' | 'reference'>> {
  type Made = { readonly id: string; readonly paymentServiceTransactionId: string };
  const { body } = await server.graphql<{ createTransaction: { transaction: Made } }>(
    `mutation ($service: ID!) { createTransaction(input: { amount: 1299, currency: "USD", paymentServiceId: $service,
      paymentMethod: { card: { number: "4111 1111 1111 1111", expirationDate: "12/40", securityCode: "100" } } }) {
      transaction { id paymentServiceTransactionId } userErrors { message } } }`,
    { service: paymentServiceId },
  );
  const made = body.data?.createTransaction.transaction;
  return { id: made?.id ?? '', reference: made?.paymentServiceTransactionId ?? '' };
}

async function capture(server: ServerProcess, id: string, key: string): Promise<unknown> {
  const { body } = await server.graphql<{ captureTransaction: unknown }>(
    `mutation ($id: ID!, $key: String!) { captureTransaction(id: $id, input: { amount: 1000 }, idempotencyKey: $key) {
      capture { id amount status } transaction { id status capturedAmount refundable { amount } }
      userErrors { code } replayed } }`,
    { id, key },
  );
  return body.data?.captureTransaction;
}

async function statusOf(id: string): Promise<string | undefined> {
  const { body } = await survivor.graphql<{ transaction: { status: string } }>(
    'query ($id: ID!) { transaction(id: $id) { status } }',
    { id },
  );
  return body.data?.transaction.status;
}

/** Lists the names of a transaction's events, in order. */
async function eventsOf(transactionId: string): Promise<readonly string[]> {
  type Events = { nodes: { name: string; transaction: { id: string } | null }[] };
  const { body } = await survivor.graphql<{ events: Events }>(
    '{ events { nodes { name transaction { id } } } }',
  );
  const events = body.data?.events.nodes ?? [];
  return events.filter(({ transaction }) => transaction?.id === transactionId).map(({ name }) => name);
}
