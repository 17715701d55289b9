import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';
import { CARD, openShop, type Input, type Shop } from './harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** A rule that asks for each fact, and holds for no payment here. */
const everyFact = ({ services: [first] }: Shop) => ({
  name: 'Every fact',
  action: { positions: true },
  conditions: [
    { fact: { amount: { currency: 'USD', max: 1 } } },
    { fact: { currency: ['EUR'] } },
    { fact: { country: ['DE'] } },
    { fact: { method: ['paypal'] } },
    { fact: { instrument: ['BANK'] } },
    { fact: { scheme: ['AMEX'] } },
    { fact: { bin: [{ from: '340000', to: '340000' }] } },
    { fact: { paymentSource: ['MOTO'] } },
    { fact: { threeDSecureRequest: ['NEVER'] } },
    { fact: { installmentCount: { min: 2 } } },
    { fact: { metadata: { name: 'tier' } } },
    { fact: { externalIdentifier: { prefixes: ['sub-'] } } },
    { fact: { isStored: true } },
    { fact: { stores: true } },
    { fact: { merchantInitiated: true } },
    { fact: { isSubsequentPayment: true } },
    { fact: { hasGiftCards: true } },
    { fact: { hasThreeDSecureData: true } },
    {
      anyOf: [
        { fact: { attempt: { min: 2 } } },
        { fact: { formerOutcome: ['FAILED'] } },
        { fact: { formerErrorCode: ['service_error'] } },
        { fact: { formerService: [first] } },
      ],
    },
  ],
});

const PLAIN = {
  ...{ amount: '1299 USD', currency: 'USD', country: 'US', method: 'card', instrument: 'pan' },
  ...{ scheme: 'visa', bin: '41111111', paymentSource: 'ecommerce', threeDSecureRequest: 'automatic' },
  ...{ installmentCount: '1', metadata: null, externalIdentifier: null, isStored: 'false', stores: 'false' },
  ...{ merchantInitiated: 'false', isSubsequentPayment: 'false', hasGiftCards: 'false' },
  hasThreeDSecureData: 'false',
  anyOf: null,
};

const NETWORK_TOKEN = {
  number: '4111111111111111',
  expirationDate: '03/30',
  cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
  eci: '05',
};

const WALLETS = { paymentServiceDefinitionId: 'mockds-card', paymentMethodTokenizationEnabled: true };

const SERVICES = [WALLETS, WALLETS, { networkTokensEnabled: true }] as const;

/** Stores a card of a buyer, and returns the id of the method. */
async function storeCard(shop: Shop): Promise<string> {
  const { paymentMethod } = await shop.ask<{ paymentMethod: { id: string } }>(
    `mutation ($input: StorePaymentMethodInput!) { answer: storePaymentMethod(input: $input) {
      paymentMethod { id } userErrors { message } } }`,
    { input: { instrument: { card: CARD } } },
  );
  return paymentMethod.id;
}

const EXTERNAL = {
  ...{ version: '2.2.0', eci: '05', cavv: 'AAABBBCCCDDDEEEFFFGGGHHHIIIJ' },
  ...{ directoryResponse: 'Y', authenticationResponse: 'Y' },
  directoryTransactionId: 'd65e93c3-35ab-41ba-b307-767bfc19eae3',
};

it.each<[string, (shop: Shop) => Promise<Input> | Input, Input]>([
  ['a card', () => ({}), {}],
  [
    'a card of a returning buyer',
    () => ({
      ...{ store: true, metadata: { tier: 'gold' }, externalIdentifier: 'order-1' },
      threeDSecure: { request: 'NEVER' },
    }),
    { stores: 'true', metadata: 'gold', externalIdentifier: 'order-1', threeDSecureRequest: 'never' },
  ],
  [
    'a stored card',
    async (shop) => ({
      paymentMethod: { stored: { id: await storeCard(shop) } },
      ...{ paymentSource: 'CARD_ON_FILE', isSubsequentPayment: true },
    }),
    { isStored: 'true', paymentSource: 'card_on_file', isSubsequentPayment: 'true' },
  ],
  [
    'a network token, whose digits are not those of the card',
    () => ({ paymentMethod: { networkToken: NETWORK_TOKEN } }),
    { method: 'network_token', instrument: 'network_token', bin: null },
  ],
  [
    'a wallet, whose card is not known yet',
    () => ({ paymentMethod: { applePay: { token: '{"sandbox": "mastercard"}' } } }),
    { method: 'applepay', instrument: 'applepay', scheme: null, bin: null },
  ],
])('a rule sees %s as the payment was, at the payment and later', async (_, inputOf, differing) => {
  const shop = await openShop(server, SERVICES);
  await shop.follow(everyFact(shop));

  const { transaction, userErrors } = await shop.pay(await inputOf(shop));
  const later = await shop.transaction(transaction?.id ?? '');

  expect(userErrors).toEqual([]);
  expect(later?.routing).toEqual(transaction?.routing);
  const [rule] = later?.routing?.rules ?? [];
  const seen = Object.fromEntries(rule?.conditions.map(({ fact, saw }) => [fact, saw]) ?? []);
  expect(seen).toEqual({ ...PLAIN, ...differing });
});

it('a rule sees no digits that the provider told after the decision', async () => {
  const shop = await openShop(server, SERVICES);
  await shop.follow(everyFact(shop));
  const { transaction } = await shop.pay({ paymentMethod: { networkToken: NETWORK_TOKEN } });
  await server.app.db.prisma.transaction.updateMany({
    where: { merchantAccountId: shop.id },
    data: { cardBin: '41111111' },
  });

  expect((await shop.transaction(transaction?.id ?? ''))?.routing).toEqual(transaction?.routing);
});

it('a rule sees the data of an authentication elsewhere', async () => {
  const shop = await openShop(server, SERVICES);
  const conditions = [{ fact: { hasThreeDSecureData: true } }];
  await shop.follow({
    name: 'Authenticated',
    conditions,
    action: { positions: true },
    threeDSecure: 'ALWAYS',
  });

  const { transaction, userErrors } = await shop.pay({ threeDSecure: { dataV2: EXTERNAL } });

  expect(userErrors).toEqual([]);
  expect(transaction?.routing).toMatchObject({ rule: 1, threeDSecureRequest: null });
  expect(transaction?.routing?.rules).toMatchObject([{ holds: true }]);
});
