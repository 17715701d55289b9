import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { KEY_SIGNATURE_HEADER, KEY_URL_HEADER } from '../../src/connectors/sandbox/key-signature.ts';
import { createService, startHarness, type Harness } from './harness.ts';
import { ended, inboundRows, inboxOf, until, type Inbox } from './inbox.ts';

const HOUR_MS = 3_600_000;

let harness: Harness;
let host: Server;
let inbox: Inbox;
let ours: { publicKey: KeyObject; privateKey: KeyObject };
/** The answer of the host of keys, and its requests. */
let published: { status: number; body: string };
let asked: string[];
let answer: RequestListener = (_, response) => void response.end();

beforeAll(async () => {
  harness = await startHarness();
  host = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  const service = await createService(harness.server, `${address()}/payments`, {
    webhookSecret: 'a secret that the provider does not use here',
  });
  inbox = await inboxOf(harness, service);
});
afterAll(async () => {
  host.closeAllConnections();
  host.close();
  await harness.stop();
});
beforeEach(async () => {
  // The keys of the test before are kept for an hour.
  await harness.pass(HOUR_MS);
  await harness.server.app.db.prisma.inboundWebhook.deleteMany();
  ours = generateKeyPairSync('ed25519');
  published = { status: 200, body: pemOf(ours.publicKey) };
  asked = [];
  answer = publish;
});

/** Answers as the host of keys, and accepts the credentials of the payment service. */
const publish: RequestListener = (request, response) => {
  if (request.method !== 'GET') return void response.end('{"result":"accepted"}');
  asked.push(request.url ?? '');
  response.writeHead(published.status).end(published.body);
};

const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();
const address = (): string => `http://127.0.0.1:${(host.address() as AddressInfo).port}`;

/** Posts a webhook signed by a key. Returns the status of the answer. */
async function tell(
  id: string,
  { url = `${address()}/key.pem`, key = ours.privateKey, digest = null as 'sha256' | null, signed = '' } = {},
): Promise<number> {
  const body = JSON.stringify({ id, event: 'capture.succeeded', payment_service_transaction_id: 'pay_1' });
  const response = await inbox.post(body, {
    'content-type': 'application/json',
    [KEY_URL_HEADER]: url,
    [KEY_SIGNATURE_HEADER]: sign(digest, Buffer.from(signed || body), key).toString('base64'),
  });
  await response.arrayBuffer();
  return response.status;
}

it('a webhook that a published key signed is stored, and the key is fetched once an hour', async () => {
  expect(await tell('one')).toBe(200);
  expect(await tell('two')).toBe(200);
  expect(asked).toEqual(['/key.pem']);

  await harness.pass(HOUR_MS);
  expect(await tell('three')).toBe(200);

  expect(asked).toHaveLength(2);
  expect(await inboundRows(harness)).toHaveLength(3);
});

it('an RSA key signs with SHA-256', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  published = { status: 200, body: pemOf(publicKey) };

  expect(await tell('one', { key: privateKey, digest: 'sha256' })).toBe(200);
});

it.each([
  ['another key', () => ({ key: generateKeyPairSync('ed25519').privateKey })],
  ['another body', () => ({ signed: '{}' })],
])('a signature of %s is refused', async (_, given) => {
  expect(await tell('one', given())).toBe(401);
  expect(await inboundRows(harness)).toEqual([]);
});

it.each([
  ['another port', () => address().replace(/\d+$/, '1')],
  ['another host', () => 'http://localhost.example/key.pem'],
  ['a user name before another host', () => `${address()}@keys.example/key.pem`],
  ['a host that only begins alike', () => `${address()}.keys.example/key.pem`],
  ['a file', () => 'file:///etc/hostname'],
  ['no address', () => 'key.pem'],
])('a key at %s is never fetched', async (_, url) => {
  expect(await tell('one', { url: url() })).toBe(401);
  expect(asked).toEqual([]);
  expect(await inboundRows(harness)).toEqual([]);
});

it.each([
  ['is missing', 404, '', 401],
  ['is no key', 200, 'no key', 401],
  ['cannot be fetched now', 503, '', 503],
])('when the key %s, the answer is right for a retry', async (_, status, body, expected) => {
  published = { status, body };
  expect(await tell('one')).toBe(expected);

  published = { status: 200, body: pemOf(ours.publicKey) };
  await harness.pass(HOUR_MS);
  expect(await tell('one')).toBe(200);
  await ended(harness, 0);
  expect(await inboundRows(harness)).toHaveLength(1);
});

it('webhooks at the same time share one fetch', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => tell(`event ${index}`)));

  expect(answers).toEqual(Array.from({ length: 6 }, () => 200));
  expect(asked).toHaveLength(1);
});

it('webhooks with many keys at once wait for no more than two fetches', async () => {
  const hold: (() => void)[] = [];
  answer = (request, response) => {
    asked.push(request.url ?? '');
    hold.push(() => response.end(pemOf(ours.publicKey)));
  };
  const first = ['a', 'b'].map((name) => tell(name, { url: `${address()}/${name}.pem` }));
  await until(async () => (asked.length === 2 ? true : null));

  expect(await tell('c', { url: `${address()}/c.pem` })).toBe(503);
  hold.forEach((go) => go());

  expect(await Promise.all(first)).toEqual([200, 200]);
  expect(asked).toHaveLength(2);
});
