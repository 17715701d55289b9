import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { mintToken } from '../../src/modules/accounts/index.ts';
import { relayAll } from '../support/relay-all.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { CARD, openShop, type Activated, type Input, type Shop } from './harness.ts';

let server: TestServer;
let shop: Shop;
let key: Key;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  shop = await openShop(server);
  key = await createKey(shop);
});

type Key = { readonly id: string; readonly token: string };

const KEY = `mutation ($input: CreateApiKeyPairInput!) { answer: createApiKeyPair(input: $input) {
  apiKeyPair { id thumbprint } privateKey } }`;

/** Creates a key for a merchant account alone. */
async function createKey(of: Shop): Promise<Key> {
  const scopes = ['*.read', '*.write'];
  const { apiKeyPair, privateKey } = await of.ask<{
    apiKeyPair: { id: string; thumbprint: string };
    privateKey: string;
  }>(KEY, { input: { displayName: 'Trial', algorithm: 'ES512', scopes, merchantAccountIds: [of.id] } });
  const token = await mintToken({
    ...{ privateKeyPem: privateKey, algorithm: 'es512', kid: apiKeyPair.thumbprint },
    ...{ scopes, issuer: 'tests', expiresInSeconds: 3600, now: server.app.clock.now() },
    jti: server.app.ids.uuid(),
  });
  return { id: apiKeyPair.id, token };
}

async function askAs<Answer>(token: string, document: string, variables: Input = {}): Promise<Answer> {
  const { body } = await server.graphql<{ answer: Answer }>(document, variables, { token });
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data.answer;
}

const PAY = `mutation ($input: CreateTransactionInput!) { answer: createTransaction(input: $input) {
  transaction { attempts { paymentService { id } } } } }`;
const EXPLAIN = `query ($input: ExplainRoutingInput!) { answer: explainRouting(input: $input) {
  candidates { paymentService { id } } } }`;
const ACTIVE = `query ($apiKeyPairId: ID) { answer: activeRouting(apiKeyPairId: $apiKeyPairId) {
  apiKeyPairId version { id } } }`;

type Asked = { readonly paymentService: { readonly id: string } };

/** Pays with a token, and returns the service that was asked. Checks that the explanation says the same. */
async function serviceOf(token: string): Promise<string | undefined> {
  const payment = { amount: 100, currency: 'USD', country: 'US' };
  const paid = await askAs<{ transaction: { attempts: readonly Asked[] } }>(token, PAY, {
    input: { ...payment, paymentMethod: { card: CARD } },
  });
  const explained = await askAs<{ candidates: readonly Asked[] }>(token, EXPLAIN, { input: payment });
  const asked = paid.transaction.attempts[0]?.paymentService.id;
  expect(explained.candidates[0]?.paymentService.id).toBe(asked);
  return asked;
}

const all = (id: string) => ({ name: 'All', action: { order: { paymentServiceIds: [id] } } });

async function versionFor(serviceId: string): Promise<string> {
  const { version } = await shop.makeVersion([all(serviceId)]);
  if (!version) throw new Error('No version was made.');
  return version.id;
}

it('payments with the tokens of a key follow the version of the key, and all others that of the account', async () => {
  const [first, second, third] = shop.services;
  const other = await createKey(shop);
  const tokens = [shop.token, other.token, key.token];
  const seen = async () => {
    const services: unknown[] = [];
    for (const token of tokens) services.push(await serviceOf(token));
    return services;
  };
  const versionId = await versionFor(third);

  await shop.activate({ versionId, apiKeyPairId: key.id });
  expect(await seen()).toEqual([first, first, third]);
  const versionOfAccount = await shop.follow(all(second));
  expect(await seen()).toEqual([second, second, third]);
  const active = [
    await askAs(shop.token, ACTIVE, { apiKeyPairId: key.id }),
    await askAs(shop.token, ACTIVE, { apiKeyPairId: other.id }),
    await askAs(shop.token, ACTIVE),
  ];
  expect(active).toEqual([
    { apiKeyPairId: key.id, version: { id: versionId } },
    { apiKeyPairId: null, version: { id: versionOfAccount } },
    { apiKeyPairId: null, version: { id: versionOfAccount } },
  ]);

  await shop.activate({ apiKeyPairId: key.id });
  expect(await seen()).toEqual([second, second, second]);
  await shop.activate({});
  expect(await seen()).toEqual([first, first, first]);
});

it('an activation of a key is in its event', async () => {
  const versionId = await versionFor(shop.services[1]);
  await shop.activate({ versionId, apiKeyPairId: key.id });
  await relayAll(server.app);

  const { payload } = await server.app.db.prisma.event.findFirstOrThrow({
    where: { merchantAccountId: shop.id, name: 'routing-activation.created' },
  });
  expect(JSON.parse(payload)).toMatchObject({
    target: { version_id: versionId, api_key_pair_id: key.id },
  });
});

it.each<[string, (other: Shop) => Promise<string>]>([
  ['another account', async (other) => (await createKey(other)).id],
  ['nobody', async () => '01900000-0000-7000-8000-00000000abcd'],
  ['a wrong form', async () => 'key'],
])('a key of %s gets no version', async (_, idOf) => {
  const apiKeyPairId = await idOf(await openShop(server));
  const versionId = await versionFor(shop.services[1]);

  const refused: Activated = await shop.activate({ versionId, apiKeyPairId });

  expect(refused).toMatchObject({
    activation: null,
    userErrors: [{ code: 'NOT_FOUND', path: ['input', 'apiKeyPairId'] }],
  });
  expect(await serviceOf(shop.token)).toBe(shop.services[0]);
});
