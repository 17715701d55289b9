import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Client } from 'graphql-ws';
import { connectRawSocket } from '../http/raw-socket.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { createAttempts, type Attempt } from './canary-attempts.ts';
import { dumpDatabase, dumpFolder } from './dump.ts';
import { createSecrets } from './secrets.ts';
import { until } from '../support/until.ts';

const secrets = createSecrets();
const masterKey = randomBytes(32).toString('base64');
let database: TestDatabase;
let server: ServerProcess;
let provider: FakeProvider;
let echo: Server;
let receiver: Receiver;
let socket: Client;
/** The replies to all requests. */
const replies: { readonly what: string; readonly text: string }[] = [];
/** The messages to a subscriber. */
const heard: string[] = [];

beforeAll(async () => {
  [database, provider, receiver] = await Promise.all([
    createTestDatabase(),
    startFakeProvider(),
    startReceiver(),
  ]);
  echo = await startEcho();
  server = await startProcess({
    DATABASE_URL: database.url,
    PAYGRAPH_MASTER_KEY: secrets.add(masterKey),
    PAYGRAPH_METRICS: 'true',
    LOG_LEVEL: 'debug',
  });
  secrets.add(server.token.split('.')[2] ?? '');
  await learnSecrets();
  socket = server.socket();
  socket.subscribe(
    { query: 'subscription { events(after: "BEGIN") { name payload transaction { id status } } }' },
    {
      next: (event) => void heard.push(JSON.stringify(event)),
      error: () => undefined,
      complete: () => undefined,
    },
  );
  await sendEverything();
}, 60_000);

afterAll(async () => {
  await socket.dispose();
  await server.stop();
  echo.close();
  await Promise.all([provider.close(), receiver.close(), database.drop()]);
});

it('finds a planted secret: the provider received cards', () => {
  expect(secrets.foundIn(JSON.stringify(provider.calls)).length).toBeGreaterThan(10);
});

it('no secret is in a reply', () => {
  const found = replies.flatMap(({ what, text }) =>
    secrets.foundIn(text).map((secret) => ({ what, secret })),
  );

  expect(found).toEqual([]);
  // Requests that ended in an internal error would prove nothing.
  expect(replies.filter(({ text }) => text.includes('INTERNAL_SERVER_ERROR'))).toEqual([]);
});

it('no secret is in the log', () => {
  expect(server.output()).toContain('The outcome is unknown.');
  expect(secrets.foundIn(server.output())).toEqual([]);
});

it('no secret is published: not in the feed, live events or webhooks', async () => {
  const { body } = await server.graphql<{ events: { nodes: unknown[] } }>(
    '{ events(first: 100) { nodes { name payload transaction { id } } } }',
  );
  const events = body.data?.events.nodes ?? [];
  expect(events.length).toBeGreaterThan(10);
  await until(() => heard.length >= events.length && receiver.received.length >= events.length);

  expect(secrets.foundIn(JSON.stringify(body))).toEqual([]);
  expect(secrets.foundIn(heard.join('\n'))).toEqual([]);
  expect(secrets.foundIn(JSON.stringify(receiver.received))).toEqual([]);
});

it('no secret is in the database, even while a card waits for an outcome, nor in the data folder', async () => {
  const dump = await dumpDatabase(database.url);
  const files = await dumpFolder(server.dataFolder);

  expect(dump).toContain('"sealed_card":"');
  expect(dump).toContain('"sealed_fields":"');
  expect(dump).toContain('Canary');
  expect(secrets.foundIn(dump)).toEqual([]);
  expect(files).toContain('kid');
  expect(secrets.foundIn(files)).toEqual([]);
});

/** Headers of sizes and budgets, whose numbers may equal a security code by chance. */
const COUNTS = ['content-length', 'ratelimit', 'ratelimit-policy'];

async function post(
  what: string,
  body: string,
  more: Record<string, string> = {},
  path = '/graphql',
): Promise<string> {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}`, ...more },
    body,
  });
  const headers = [...response.headers].filter(([name]) => !COUNTS.includes(name));
  const text = JSON.stringify(headers) + (await response.text());
  replies.push({ what, text });
  return text;
}

/** Sends an attempt over HTTP, again for the compiled operation, and over a websocket. */
async function send(what: string, attempt: Attempt): Promise<void> {
  await post(what, JSON.stringify(attempt));
  await post(`${what}, again`, JSON.stringify(attempt));
  const raw = await connectRawSocket(server.url, server.token);
  raw.send({ id: '1', type: 'subscribe', payload: attempt });
  replies.push({
    what: `${what}, websocket`,
    text: JSON.stringify(await Promise.race([raw.next(), raw.closed])),
  });
  raw.close();
}

async function sendEverything(): Promise<void> {
  const paymentServiceId = await createService('Provider', 'USD', provider.url);
  await createService('Echo', 'CHF', `http://127.0.0.1:${(echo.address() as AddressInfo).port}/`);
  for (const [what, attempt] of Object.entries(createAttempts(secrets, { paymentServiceId }))) {
    await send(what, attempt);
  }
  for (const outcome of ['approved', 'declined', 'error', 'nonsense'])
    await send(`echo of ${outcome}`, payEcho(outcome));
  await sendWhatIsNoOperation();
  await readEverything();
  // These come last, because their outcomes stay unknown: the provider's answers cannot be parsed.
  provider.failNext(
    'lose_answer',
    'error_after_work',
    ...Array.from({ length: 50 }, () => 'nonsense' as const),
  );
  for (let index = 0; index < 3; index += 1) {
    const card = { number: secrets.card(), expirationDate: '12/40', securityCode: secrets.securityCode() };
    await post('unknown', JSON.stringify(payWith(card, paymentServiceId)));
  }
}

const payWith = (card: unknown, paymentServiceId: string): Attempt => ({
  query: `mutation ($input: CreateTransactionInput!) { createTransaction(input: $input, idempotencyKey: null) {
    transaction { status rawResponseDescription rawResponseCode errorCode } userErrors { message } } }`,
  variables: { input: { amount: 1299, currency: 'USD', paymentMethod: { card }, paymentServiceId } },
});

const payEcho = (outcome: string): Attempt => ({
  query: `mutation ($input: CreateTransactionInput!) { createTransaction(input: $input) {
    transaction { status rawResponseDescription rawResponseCode errorCode authResponseCode } userErrors { message } } }`,
  variables: {
    input: {
      amount: 1299,
      currency: 'CHF',
      externalIdentifier: outcome,
      paymentMethod: {
        card: { number: secrets.card(), expirationDate: '12/40', securityCode: secrets.securityCode() },
      },
      buyer: { billingDetails: { address: { postalCode: outcome } } },
    },
  },
});

/** Starts a provider that echoes the request. The postal code selects the kind of answer. */
async function startEcho(): Promise<Server> {
  const made = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const { amount, currency, postal_code: result } = JSON.parse(text) as Record<string, unknown>;
      const reported = `Refused: ${text} ${incoming.headers.authorization ?? ''}`;
      response.end(
        JSON.stringify({
          result,
          id: `echo-${String(result)}`,
          amount,
          currency,
          code: reported,
          message: reported,
        }),
      );
    });
  });
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return made;
}

/** Sends bodies, addresses and headers without a valid operation. */
async function sendWhatIsNoOperation(): Promise<void> {
  const card = (): string => secrets.card();
  await post('broken JSON', `{"query": "${card()}`);
  await post('JSON that is no object', `"${card()}"`);
  await post('another type', card(), { 'content-type': 'text/plain' });
  await post('a form', `pan=${card()}`, { 'content-type': 'application/x-www-form-urlencoded' });
  await post('too large', JSON.stringify({ query: card().repeat(20_000) }));
  await post('nowhere', '{}', {}, `/graphql/${card()}?pan=${card()}`);
  await post('a subgraph', '{}', { 'x-router-secret': secrets.text() }, '/subgraphs/accounts');
  await post('a token', '{}', { authorization: `Bearer ${secrets.text()}` });
  await post('a merchant account', '{}', { 'x-service-merchant-account-id': card() });
  await post(
    'an address',
    JSON.stringify({ query: '{ __typename }' }),
    {},
    `/graphql?variables={"pan":"${card()}"}`,
  );
  for (const path of [
    `/graphql?query=${encodeURIComponent(`{ transaction(id: ${card()}) { id } }`)}`,
    '/metrics',
    '/ready',
  ]) {
    const response = await fetch(`${server.url}${path}`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    replies.push({ what: path.slice(0, 10), text: await response.text() });
  }
}

/** Reads everything that queries offer. */
async function readEverything(): Promise<void> {
  const query = `{ transactions(first: 100) { nodes { id status card { bin lastFour fingerprint } errorCode rawResponseCode
    rawResponseDescription authResponseCode paymentServiceTransactionId metadata externalIdentifier } }
    paymentServices(first: 100) { nodes { displayName fields { key value } reportingFields { key value } webhookUrl } }
    webhookEndpoints { nodes { url description } } apiKeyPairs { nodes { displayName thumbprint } } }`;
  expect(await post('everything', JSON.stringify({ query }))).toContain('"Provider"');
}

async function createService(displayName: string, currency: string, url: string): Promise<string> {
  const text = await post(
    displayName,
    JSON.stringify({
      query: `mutation ($input: CreatePaymentServiceInput!) { createPaymentService(input: $input) {
        paymentService { id } userErrors { message path } } }`,
      variables: {
        input: {
          displayName,
          paymentServiceDefinitionId: 'mock-card',
          fields: [
            { key: 'merchant_id', value: 'canary' },
            { key: 'api_key', value: secrets.text() },
            { key: 'api_url', value: url },
          ],
          acceptedCurrencies: [currency],
          acceptedCountries: ['US'],
        },
      },
    }),
  );
  return /"paymentService":\{"id":"([^"]+)"/.exec(text)?.[1] ?? '';
}

/**
 * Registers the secrets that the service creates and shows once. A repeat with the same key does not show them again.
 */
async function learnSecrets(): Promise<void> {
  const endpoint = `mutation { createWebhookEndpoint(input: { url: "${receiver.url}" }, idempotencyKey: "canary") {
    webhookEndpoint { id } secret userErrors { message } replayed } }`;
  const keyPair = `mutation { createApiKeyPair(input: { displayName: "Canary", scopes: ["*.read"] }, idempotencyKey: "canary") {
    apiKeyPair { id thumbprint } privateKey userErrors { message } replayed } }`;
  const shown = await server.graphql<{ createWebhookEndpoint: { secret: string } }>(endpoint);
  secrets.add((shown.body.data?.createWebhookEndpoint.secret ?? '').slice('whsec_'.length));
  const made = await server.graphql<{ createApiKeyPair: { privateKey: string } }>(keyPair);
  const [, ...lines] = (made.body.data?.createApiKeyPair.privateKey ?? '').trim().split('\n');
  for (const line of lines.slice(1, -2)) secrets.add(line);
  for (const query of [endpoint, keyPair]) {
    expect(await post('a secret again', JSON.stringify({ query }))).toContain('"replayed":true');
  }
}
