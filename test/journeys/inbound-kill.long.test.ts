import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';
import { authorization, payloadOf, post } from '../support/payments.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';

let database: TestDatabase;
let doomed: ServerProcess;
let survivor: ServerProcess;

const MASTER_KEY = randomBytes(32).toString('base64');

const start = (failpoints: string): Promise<ServerProcess> =>
  startProcess({
    DATABASE_URL: database.url,
    PAYGRAPH_MASTER_KEY: MASTER_KEY,
    PAYGRAPH_FAILPOINTS: failpoints,
  });

beforeAll(async () => {
  database = await createTestDatabase();
  [doomed, survivor] = await Promise.all([start('inbound.stored=kill'), start('')]);
}, 120_000);
afterAll(async () => {
  await Promise.all([doomed.kill(), survivor.stop()]);
  await database.drop();
});

type Created = {
  readonly made: { readonly paymentService: { readonly id: string; readonly webhookUrl: string } };
};

it("a provider's webhook is applied once by another process when the storing process is killed", async () => {
  const { body } = await doomed.graphql<Created>(`mutation { made: createPaymentService(input: {
    displayName: "Decides later", paymentServiceDefinitionId: "mock-acquirer", fields: [{ key: "merchant_id", value: "x" }],
    acceptedCurrencies: ["USD"], acceptedCountries: ["US"] }) { paymentService { id webhookUrl } } }`);
  const service = body.data?.made.paymentService;
  const paid = await post(doomed, authorization(600_001, service?.id ?? ''));
  const id = payloadOf(paid.text)?.transaction?.id ?? '';
  const [operation] = await query<{ key: string }>(
    database.url,
    'SELECT coalesce(provider_key, id) AS key FROM operation WHERE transaction_id = $1',
    [id],
  );
  const reported = JSON.stringify({
    id: 'evt_1',
    event: 'authorization.succeeded',
    idempotency_key: operation?.key,
  });
  const tell = (url: string) => fetch(url, { method: 'POST', body: reported });

  const url = service?.webhookUrl ?? '';
  await expect(tell(url)).rejects.toThrow();
  expect((await doomed.ended).code).toBeNull();
  // The provider received no answer and sends the webhook again, to a living server.
  expect((await tell(url.replace(doomed.url, survivor.url))).status).toBe(200);

  const statusOf = async () =>
    (await query<{ status: string }>(database.url, 'SELECT status FROM transaction WHERE id = $1', [id]))[0]
      ?.status;
  const deadline = Date.now() + 60_000;
  while ((await statusOf()) === 'processing' && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await statusOf()).toBe('authorization_succeeded');
  const history = await query<{ changed: boolean }>(
    database.url,
    `SELECT (context ->> 'changed')::boolean AS changed FROM history_entry WHERE transaction_id = $1 AND name LIKE '%webhook-processed'`,
    [id],
  );
  const rows = await query<{ state: string }>(database.url, 'SELECT state FROM inbound_webhook');
  expect([history, rows]).toEqual([[{ changed: true }], [{ state: 'applied' }]]);
}, 120_000);
