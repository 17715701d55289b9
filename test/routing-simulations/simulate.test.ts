import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openShop, type Input, type Shop } from '../routing/harness.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { playAll, simulatingAs, type Simulating } from './harness.ts';

let server: TestServer;
let shop: Shop;
let simulating: Simulating;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  shop = await openShop(server);
  simulating = simulatingAs(server, shop);
});
afterAll(() => server.stop());

const order = (...paymentServiceIds: readonly string[]) => ({ order: { paymentServiceIds } });
const only = (...paymentServiceIds: readonly string[]) => ({ order: { paymentServiceIds, onlyThese: true } });
const all = (action: Input) => [{ name: 'All', action }];
const large = { name: 'Large', conditions: [{ fact: { amount: { currency: 'USD', min: 5000 } } }] };

/** Amounts for which the sandbox declines in a retriable way, and for good. */
const [RETRIABLE, FINAL] = [200_012, 200_011];

describe('a simulation', () => {
  it('keeps the outcome of payments that stay, and estimates those that move by the past of the new service', async () => {
    const [first, second, third] = shop.services;
    await shop.follow(...all(order(third)));
    for (const amount of [1299, 1300, 1301]) await shop.pay({ amount });
    await shop.activate({});
    for (const amount of [1400, 1401, 1402, 1403]) await shop.pay({ amount });

    const result = await simulating.result(all(only(third, second)));

    expect(result).toMatchObject({ payments: 7, passedBy: 0, open: 0, coarselyCompared: 0 });
    expect(result.moves).toEqual([
      { fromPaymentServiceId: first, toPaymentServiceId: third, payments: 4 },
      { fromPaymentServiceId: third, toPaymentServiceId: third, payments: 3 },
    ]);
    expect(result.rules).toEqual([{ rule: 1, payments: 7 }]);
    expect(result.unknown).toEqual({ payments: 0, authorizedThen: 0 });
    // Three of three authorised: the rate is at least 0.4385 in 95 of 100 cases.
    const { authorizedLow, ...compared } = result.compared;
    expect(compared).toEqual({
      ...{ payments: 7, authorizedThen: 7, authorizedExpected: 7, authorizedHigh: 7 },
      ...{ attemptsThen: 7, attemptsExpected: 7 },
    });
    expect(authorizedLow).toBeCloseTo(3 + 4 * 0.4385, 3);
    expect(result.differing.map(({ amount, kind, chance }) => [amount, kind, chance])).toEqual(
      [1403, 1402, 1401, 1400].map((amount) => [
        ...[amount, 'AUTHORIZED_THEN_ELSEWHERE'],
        { rate: 1, low: expect.closeTo(0.4385, 3), high: 1, cases: 3 },
      ]),
    );
  });

  it('tells apart the payments of which the past knows nothing', async () => {
    const [, , third] = shop.services;
    await shop.pay();
    await shop.pay({ amount: RETRIABLE });
    await shop.pay({ amount: FINAL });

    const result = await simulating.result(all(order(third)));

    // The third service saw one payment, after the refusals of two others. Such a payment tells nothing about a first attempt.
    expect(result.unknown).toEqual({ payments: 3, authorizedThen: 1 });
    expect(result.compared).toMatchObject({ payments: 0, authorizedExpected: 0, authorizedHigh: 0 });
    expect(result.unknownGroups).toEqual([
      {
        ...{ paymentServiceId: third, currency: 'USD', method: 'card', scheme: 'visa', country: 'US' },
        ...{ amountDigits: 6, payments: 2 },
      },
      {
        ...{ paymentServiceId: third, currency: 'USD', method: 'card', scheme: 'visa', country: 'US' },
        ...{ amountDigits: 4, payments: 1 },
      },
    ]);
    expect(result.differing.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['REFUSED_THEN_ELSEWHERE', RETRIABLE],
      ['REFUSED_THEN_ELSEWHERE', FINAL],
      ['AUTHORIZED_THEN_ELSEWHERE', 1299],
    ]);
  });

  it('shows refusals by their code, and the reason of the payments that differ', async () => {
    const [first] = shop.services;
    const { transaction } = await shop.pay({ amount: 6000 });
    await shop.pay();

    const result = await simulating.result([{ ...large, action: { refuse: { code: 'too_large' } } }]);

    expect(result.refused).toEqual([{ code: 'too_large', payments: 1, authorizedThen: 1 }]);
    expect(result.rules).toEqual([
      { rule: null, payments: 1 },
      { rule: 1, payments: 1 },
    ]);
    expect(result.compared).toMatchObject({ payments: 2, authorizedThen: 2, authorizedExpected: 1 });
    expect(result.differing).toEqual([
      {
        ...{ transactionId: transaction?.id, amount: 6000, currency: 'USD', kind: 'AUTHORIZED_THEN_REFUSED' },
        ...{ fromPaymentServiceId: first, toPaymentServiceId: null, rule: 1, ruleName: 'Large', share: null },
        ...{ refusalCode: 'too_large', chance: null },
      },
    ]);
  });

  it('shows payments that no service would accept', async () => {
    const europe = await openShop(server, [{}, { acceptedCurrencies: ['EUR'] }, {}]);
    await europe.pay();

    const result = await simulatingAs(server, europe).result(all(only(europe.services[1])));

    expect(result.withoutService).toEqual({ payments: 1, authorizedThen: 1 });
    expect(result.differing).toMatchObject([{ kind: 'AUTHORIZED_THEN_WITHOUT_SERVICE' }]);
  });

  it('leaves alone payments that named their service', async () => {
    await shop.pay({ paymentServiceId: shop.services[1] });

    const result = await simulating.result(all(order(shop.services[2])));

    expect(result).toMatchObject({ payments: 1, passedBy: 1, moves: [], rules: [], differing: [] });
    expect(result.compared.payments).toBe(0);
  });

  it('draws for each buyer as the payment did', async () => {
    const [first, second] = shop.services;
    const split = {
      split: [
        { weight: 1, paymentServiceIds: [first] },
        { weight: 1, paymentServiceIds: [second] },
      ],
    };
    await shop.follow(...all(split));
    for (let payment = 0; payment < 8; payment += 1) await shop.pay();

    const result = await simulating.result(all(split));

    expect(result.moves.every((move) => move.fromPaymentServiceId === move.toPaymentServiceId)).toBe(true);
    expect(result.compared).toMatchObject({ payments: 8, authorizedLow: 8, authorizedHigh: 8 });
  });

  it('takes the fees that settlements say', async () => {
    const [first] = shop.services;
    const { transaction } = await shop.pay({ intent: 'CAPTURE' });
    await shop.pay({ intent: 'CAPTURE' });
    await server.app.db.prisma.settlement.create({
      data: {
        ...{ merchantAccountId: shop.id, id: server.app.ids.uuid(), paymentServiceId: first },
        ...{ reference: 'txn_1', kind: 'fee', gross: 0n, fee: 39n, net: -39n, currency: 'USD' },
        ...{ settledOn: new Date(), transactionId: transaction?.id ?? '' },
        ...{ createdAt: new Date(), updatedAt: new Date() },
      },
    });

    const result = await simulating.result(all(order(first)));

    expect(result.fees).toEqual([
      {
        ...{ currency: 'USD', then: 78, expected: 78 },
        ...{ amountWithoutFeeThen: 0, amountWithoutFeeExpected: 0 },
      },
    ]);
  });

  it('reads only the payments of its period', async () => {
    await shop.pay();
    const to = new Date().toISOString();
    await shop.pay();

    const result = await simulating.result(all(order(shop.services[1])), { to });

    expect(result.payments).toBe(1);
  });
});

describe('the request', () => {
  const versionOf = async (): Promise<string> =>
    (await shop.makeVersion(all({ positions: true }))).version?.id ?? '';

  it.each<readonly [string, Input, readonly string[]]>([
    ['an empty period', { from: '2026-05-01T00:00:00Z', to: '2026-05-01T00:00:00Z' }, ['input', 'from']],
    [
      'a period above a year',
      { from: '2025-01-01T00:00:00Z', to: '2026-01-03T00:00:00Z' },
      ['input', 'from'],
    ],
    ['a period of the future', { to: '2126-01-01T00:00:00Z' }, ['input', 'to']],
    ['a sample of nothing', { sample: 0 }, ['input', 'sample']],
    ['a sample above everything', { sample: 101 }, ['input', 'sample']],
  ])('is refused for %s', async (_, change, path) => {
    const { routingSimulation, userErrors } = await simulating.start(await versionOf(), change);

    expect(routingSimulation).toBeNull();
    expect(userErrors).toMatchObject([{ code: 'INVALID_INPUT', path }]);
    expect(await simulating.list()).toEqual([]);
  });

  it('is refused for a version of another account, like for an unknown one', async () => {
    const other = await openShop(server);
    const versionId = await versionOf();
    const [foreign, unknown] = await Promise.all(
      [versionId, server.app.ids.uuid()].map((id) => simulatingAs(server, other).start(id)),
    );

    expect(foreign?.userErrors).toMatchObject([{ code: 'NOT_FOUND', path: ['input', 'versionId'] }]);
    expect(foreign).toEqual(unknown);
  });

  it('is refused while three simulations are unfinished, and allowed again afterwards', async () => {
    const versionId = await versionOf();
    const started = await Promise.all([1, 2, 3, 4].map(() => simulating.start(versionId)));
    await simulating.cancel(started.find((each) => each.routingSimulationId)?.routingSimulationId ?? '');
    const again = await simulating.start(versionId);

    expect(started.filter((each) => each.userErrors.length > 0)).toHaveLength(1);
    expect(again.userErrors).toEqual([]);
    await playAll(server);
  });

  it('with the same key starts one simulation', async () => {
    const versionId = await versionOf();
    const [one, two] = [
      await simulating.start(versionId, {}, 'once'),
      await simulating.start(versionId, {}, 'once'),
    ];

    expect(two).toEqual({ ...one, replayed: true });
    expect(await simulating.list()).toEqual([one.routingSimulationId]);
  });
});

describe('a simulation of another account', () => {
  it('is not there, cannot be cancelled, and its payments are not read', async () => {
    await shop.pay();
    const other = await openShop(server);
    const theirs = simulatingAs(server, other);
    const { version } = await shop.makeVersion(all({ positions: true }));
    const { routingSimulationId: id } = await simulating.start(version?.id ?? '');

    expect(await theirs.find(id ?? '')).toBeNull();
    expect(await theirs.list()).toEqual([]);
    expect((await theirs.cancel(id ?? '')).userErrors).toMatchObject([{ code: 'NOT_FOUND' }]);
    expect((await theirs.result(all({ positions: true }))).payments).toBe(0);
    expect(await simulating.find(id ?? '')).toMatchObject({ status: 'SUCCEEDED', result: { payments: 1 } });
  });

  it('leads to the payments and services that differ', async () => {
    const [first, second] = shop.services;
    const { transaction } = await shop.pay();
    await simulating.result(all(order(second)));
    const way = 'fromPaymentService { id } toPaymentService { id displayName }';
    const { nodes } = await shop.ask<{ nodes: readonly { readonly result: unknown }[] }>(
      `{ answer: routingSimulations(first: 1) { nodes { result { moves { ${way} }
        unknownGroups { paymentService { id } } differing { ${way} transaction { id amount } } } } } }`,
    );
    const services = {
      fromPaymentService: { id: first },
      toPaymentService: { id: second, displayName: 'Service 2' },
    };

    expect(nodes[0]?.result).toEqual({
      moves: [services],
      unknownGroups: [{ paymentService: { id: second } }],
      differing: [{ ...services, transaction: { id: transaction?.id, amount: 1299 } }],
    });
  });

  it('needs the scopes of routing rules, and those of the payments and settlements in the answer', async () => {
    await shop.pay();
    await simulating.result(all(order(shop.services[1])));
    const token = await server.mint({ merchantAccountId: shop.id, scopes: ['routing-rules.read'] });
    const read = (fields: string) =>
      server.graphql(`{ routingSimulations { nodes { result { ${fields} } } } }`, {}, { token });

    expect((await read('payments')).body.errors).toBeUndefined();
    expect((await read('fees { then }')).body.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect((await read('differing { amount }')).body.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });
});
