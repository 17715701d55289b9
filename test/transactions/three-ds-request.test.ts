import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuthorizeRequest } from '../../src/connectors/interface/requests.ts';
import { createTransaction } from '../../src/modules/transactions/index.ts';
import { sandboxConnectors } from '../support/sandbox-connectors.ts';
import { CARD, createService } from './harness.ts';
import { cardOf, FRICTIONLESS, startThreeDSHarness, type ThreeDSHarness } from './three-ds-harness.ts';

let harness: ThreeDSHarness;
/** A second payment service, behind the first, without 3DS. */
let plainService: string;
beforeAll(async () => {
  harness = await startThreeDSHarness();
  await harness.set({ threeDSecureFallback: 'CONTINUE' });
  plainService = await createService(harness.server, harness.provider.url, { definitionId: 'mock-card' });
});
afterAll(() => harness.stop());

const asking = (request: string, rest = {}) => ({ threeDSecure: { request }, ...rest });

describe('a payment that asks for its authentication', () => {
  it('challenges the buyer of any card, and is authorised after the challenge', async () => {
    const since = await harness.since();

    const waiting = await harness.pay(asking('ALWAYS'));

    expect(waiting).toMatchObject({
      ...{ status: 'BUYER_APPROVAL_PENDING', approvalUrl: expect.any(String) },
      threeDSecure: { request: 'ALWAYS', method: 'CHALLENGE', status: null },
    });
    expect(since.calls()).toEqual([]);
    await harness.say(waiting, 'approved');
    expect(await harness.show(waiting.id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_SUCCEEDED' },
      threeDSecure: { request: 'ALWAYS', status: 'COMPLETE', eci: '05' },
    });
  });

  it('follows the scenario of a test card', async () => {
    const paid = await harness.pay(asking('ALWAYS', cardOf(FRICTIONLESS)));

    expect(paid).toMatchObject({
      status: 'AUTHORIZATION_SUCCEEDED',
      threeDSecure: { request: 'ALWAYS', method: 'FRICTIONLESS', status: 'COMPLETE' },
    });
  });

  it('is declined when the authentication is unavailable, although the payment service would go on', async () => {
    await harness.rule('unavailable', { authentication: 'U' });
    const since = await harness.since();

    const declined = await harness.pay(asking('ALWAYS', { externalIdentifier: 'unavailable' }));

    expect(declined).toMatchObject({
      status: 'AUTHORIZATION_DECLINED',
      errorCode: 'requires_buyer_authentication',
    });
    expect(since.calls()).toEqual([]);
  });

  it('is declined in production, where no service authenticates yet', async () => {
    const { app, merchantAccountId } = harness.server;
    const production = {
      ...app,
      config: { ...app.config, production: true, PAYGRAPH_ALLOW_SANDBOX_PROVIDERS: true },
    };
    const input = {
      ...{ amount: 1299, currency: 'USD', intent: 'authorize', paymentSource: 'ecommerce' },
      ...{ merchantInitiated: false, isSubsequentPayment: false, store: false },
      ...{ paymentMethod: { card: CARD }, threeDSecure: { request: 'always' } },
    };
    const since = await harness.since();

    const answer = await createTransaction(production, { merchantAccountId }, input, null);

    expect(answer).toMatchObject({
      value: {
        transaction: { status: 'authorization_declined', errorCode: 'requires_buyer_authentication' },
      },
    });
    expect(since.calls()).toEqual([]);
  });

  it('is refused when no payment service authenticates, with the reason, and nothing is stored', async () => {
    const count = () => harness.server.app.db.prisma.transaction.count();
    const before = await count();
    const { payload } = await harness.ask<{ payload: { userErrors: unknown[] } }>(
      `mutation ($input: CreateTransactionInput!) { payload: createTransaction(input: $input) {
        userErrors { code ... on NoPaymentService { passedOver { paymentService { id } codes } } } } }`,
      {
        input: {
          ...{ amount: 1299, currency: 'USD', paymentMethod: { card: CARD }, paymentServiceId: plainService },
          ...asking('ALWAYS'),
        },
      },
    );

    expect(payload.userErrors).toEqual([
      {
        code: 'NO_PAYMENT_SERVICE',
        passedOver: [
          expect.objectContaining({ codes: ['NOT_REQUESTED'] }),
          { paymentService: { id: plainService }, codes: ['THREE_D_SECURE'] },
        ],
      },
    ]);
    expect(await count()).toBe(before);
  });
});

describe('a payment at a provider that authenticates buyers itself', () => {
  const asked: AuthorizeRequest['authentication'][] = [];
  /** The sandbox's connectors in production, with a provider that authenticates. */
  const connectors = sandboxConnectors.map((connector) => ({
    ...connector,
    definitions: connector.definitions.map((definition) => ({
      ...definition,
      sandboxOnly: false,
      supportedFeatures: { ...definition.supportedFeatures, three_d_secure_by_provider: true },
    })),
    authorize: ((context, request) => {
      asked.push(request.authentication);
      return connector.authorize(context, request);
    }) satisfies typeof connector.authorize,
  }));

  async function payLive(more: object) {
    const { app, merchantAccountId } = harness.server;
    const live = { ...app, connectors, config: { ...app.config, production: true } };
    const input = {
      ...{ amount: 1299, currency: 'USD', intent: 'authorize', paymentSource: 'ecommerce' },
      ...{ merchantInitiated: false, isSubsequentPayment: false, store: false },
      ...{ paymentMethod: { card: CARD }, ...more },
    };
    asked.length = 0;
    const made = await createTransaction(live, { merchantAccountId }, input, null);
    if (!made.ok) throw new Error(JSON.stringify(made.refusals));
    return harness.show(made.value.transaction.id);
  }

  it.each([
    ['by the settings of the payment service', {}, 'always', null],
    [
      'by its own request',
      { threeDSecure: { request: 'always' } },
      'always',
      { request: 'ALWAYS', status: null },
    ],
    ['against its wish', { threeDSecure: { request: 'never' } }, 'never', { request: 'NEVER', status: null }],
  ] as const)('goes on, and the provider is asked %s', async (_, more, wish, threeDSecure) => {
    const paid = await payLive(more);

    expect(asked).toEqual([wish]);
    expect(paid.status).toBe('AUTHORIZATION_SUCCEEDED');
    if (threeDSecure === null) expect(paid.threeDSecure).toBeNull();
    else expect(paid.threeDSecure).toMatchObject(threeDSecure);
    expect(paid.steps.map(({ name }) => name)).toEqual([
      'payment-connector-response-transaction-authorization-succeeded',
    ]);
  });

  it('leaves the rules to the provider without the setting', async () => {
    await payLive({ paymentServiceId: plainService });

    expect(asked).toEqual(['automatic']);
  });
});

describe('a payment that asks for no authentication', () => {
  it('is authorised without one, at a service with 3-D Secure', async () => {
    await harness.rule('not asked', { authentication: 'N' });

    const paid = await harness.pay(asking('NEVER', { externalIdentifier: 'not asked' }));

    expect(paid).toMatchObject({
      status: 'AUTHORIZATION_SUCCEEDED',
      threeDSecure: { request: 'NEVER', amount: null, status: null, enrollment: null },
    });
    expect(harness.provider.calls.at(-1)?.three_d_secure).toBeUndefined();
  });
});

const DATA_V2 = {
  ...{ cavv: 'AAAB', eci: '05', version: '2.2.0', directoryResponse: 'Y' },
  directoryTransactionId: 'a',
};

describe('createTransaction', () => {
  it.each([
    ['an amount beside data', { amount: 2000, dataV2: DATA_V2 }, {}, 'dataV2'],
    ['a wish beside data', { request: 'ALWAYS', dataV2: DATA_V2 }, {}, 'request'],
    ['an amount that is not authenticated', { request: 'NEVER', amount: 2000 }, {}, 'amount'],
    ['a wish for an absent buyer', { request: 'ALWAYS' }, { paymentSource: 'MOTO' }, 'request'],
    [
      'a wish without a card',
      { request: 'ALWAYS' },
      { paymentMethod: { redirect: { method: 'paypal' } }, redirectUrl: 'https://shop.example' },
      'request',
    ],
  ])('refuses %s', async (_, threeDSecure, rest, field) => {
    const since = await harness.since();

    const { transaction, userErrors } = await harness.create({ threeDSecure, ...rest });

    expect(transaction).toBeNull();
    expect(userErrors.map(({ code, path }) => [code, path])).toEqual([
      ['INVALID_INPUT', ['input', 'threeDSecure', field]],
    ]);
    expect(since.calls()).toEqual([]);
    expect(await since.eventNames()).toEqual([]);
  });

  it('refuses another wish under the same key, and accepts the default in words', async () => {
    const first = await harness.create({}, 'wish');

    expect(await harness.create(asking('AUTOMATIC'), 'wish')).toEqual({ ...first, replayed: true });
    expect((await harness.create(asking('NEVER'), 'wish')).userErrors).toMatchObject([
      { code: 'IDEMPOTENCY_KEY_REUSED', differingPaths: ['input.threeDSecure.request'] },
    ]);
  });

  it("shows the country of the card's issuer, as the provider reports it", async () => {
    const { transaction } = await harness.create(cardOf('5200 0000 0000 0007'));

    const { nodes } = await harness
      .ask<{ transactions: { nodes: { id: string; card: { country: string } }[] } }>(
        '{ transactions(filter: { cardCountry: ["GB"] }) { nodes { id card { country } } } }',
      )
      .then((data) => data.transactions);
    expect(nodes).toEqual([{ id: transaction?.id, card: { country: 'GB' } }]);
  });
});

it('explainRouting passes over services without 3-D Secure for such a payment', async () => {
  const { explainRouting } = await harness.ask<{ explainRouting: Record<string, unknown> }>(
    `{ explainRouting(input: { currency: "USD", threeDSecureRequest: ALWAYS }) {
      candidateCount considered { accepts reasons { code } } } }`,
  );

  expect(explainRouting).toEqual({
    candidateCount: 1,
    considered: [
      { accepts: true, reasons: [] },
      { accepts: false, reasons: [{ code: 'THREE_D_SECURE' }] },
    ],
  });
});
