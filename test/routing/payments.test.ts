import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createShiftedClock, type ShiftedClock } from '../support/shifted-clock.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { CARD, openShop, type Input } from './harness.ts';

let server: TestServer;
let clock: ShiftedClock;
beforeAll(async () => {
  clock = createShiftedClock();
  server = await startTestServer({ clock });
});
afterAll(() => server.stop());

const order = (...paymentServiceIds: readonly string[]) => ({ order: { paymentServiceIds } });
const only = (...paymentServiceIds: readonly string[]) => ({ order: { paymentServiceIds, onlyThese: true } });
const when = (fact: Input, { not } = { not: false }) => [{ fact, not }];

const HOSTED = { paymentServiceDefinitionId: 'mockds-card', threeDSecureEnabled: true };

/** Amounts for which the sandbox declines in a retriable way, declines for good, and fails. */
const [RETRIABLE, FINAL, TECHNICAL] = [200_012, 200_011, 300_013];

describe('a payment', () => {
  it('goes by position without rules, and names no decision', async () => {
    const shop = await openShop(server);

    const { transaction } = await shop.pay();

    expect(transaction?.routing).toBeNull();
    expect(await shop.asked()).toEqual([1]);
  });

  it('goes by the first rule that holds, and names it', async () => {
    const shop = await openShop(server);
    const [, second, third] = shop.services;
    const versionId = await shop.follow(
      { name: 'Large', conditions: when({ amount: { currency: 'USD', min: 5000 } }), action: order(third) },
      { name: 'Visa', conditions: when({ scheme: ['VISA'] }), action: order(second) },
      { name: 'All', action: order(third) },
    );

    const { transaction } = await shop.pay();

    expect(transaction?.attempts).toEqual([{ paymentService: { id: second } }]);
    expect(transaction?.routing).toEqual({
      ...{ version: { id: versionId }, rule: 2, ruleName: 'Visa', refusalCode: null },
      ...{ draw: null, share: null, threeDSecureRequest: null, retries: [] },
      rules: [
        { name: 'Large', holds: false, conditions: [{ fact: 'amount', holds: false, saw: '1299 USD' }] },
        { name: 'Visa', holds: true, conditions: [{ fact: 'scheme', holds: true, saw: 'visa' }] },
      ],
    });
    expect(await shop.asked({ amount: 5000 })).toEqual([3]);
    expect(await shop.asked({ paymentMethod: { card: { ...CARD, number: '5555555555554444' } } })).toEqual([
      3,
    ]);
  });

  it('goes by position when no rule holds', async () => {
    const shop = await openShop(server);
    const euros = { name: 'Euros', conditions: when({ currency: ['EUR'] }), action: order(shop.services[2]) };
    const versionId = await shop.follow(euros);

    const { transaction } = await shop.pay();

    expect(transaction?.attempts).toEqual([{ paymentService: { id: shop.services[0] } }]);
    expect(transaction?.routing).toMatchObject({ version: { id: versionId }, rule: null, ruleName: null });
    expect(transaction?.routing?.rules).toMatchObject([{ name: 'Euros', holds: false }]);
  });

  it('goes on in the order of the rule, and only where a retry is allowed', async () => {
    const shop = await openShop(server);
    const [first, , third] = shop.services;
    await shop.follow({ name: 'All', action: order(third, first) });

    expect(await shop.asked({ amount: RETRIABLE })).toEqual([3, 1, 2]);
    expect(await shop.asked({ amount: TECHNICAL })).toEqual([3, 1, 2]);
    expect(await shop.asked({ amount: FINAL })).toEqual([3]);

    await shop.follow({ name: 'All', action: only(third, first) });
    expect(await shop.asked({ amount: RETRIABLE })).toEqual([3, 1]);
  });

  it('never goes to a service that does not accept the payment', async () => {
    const shop = await openShop(server, [{}, { acceptedCurrencies: ['EUR'] }, { active: false }]);
    const [, second, third] = shop.services;
    await shop.follow({ name: 'All', action: order(second, third) });
    expect(await shop.asked()).toEqual([1]);

    await shop.follow({ name: 'All', action: only(second, third) });
    const { transaction, userErrors } = await shop.pay();

    expect(transaction).toBeNull();
    expect(userErrors[0]?.code).toBe('NO_PAYMENT_SERVICE');
    expect(userErrors[0]?.passedOver).toEqual([
      { codes: ['ROUTING_RULE'] },
      { codes: ['CURRENCY'] },
      { codes: ['INACTIVE'] },
    ]);
  });

  it('passes the rules by when it names its service', async () => {
    const shop = await openShop(server);
    await shop.follow({ name: 'Nobody', action: { refuse: { code: 'closed' } } });

    const { transaction } = await shop.pay({ paymentServiceId: shop.services[1] });

    expect(transaction?.attempts).toEqual([{ paymentService: { id: shop.services[1] } }]);
    expect(transaction?.routing).toBeNull();
  });

  it('is refused by a rule, and leaves nothing', async () => {
    const shop = await openShop(server);
    const closed = {
      name: 'Closed',
      conditions: when({ country: ['US'] }),
      action: { refuse: { code: 'not_here' } },
    };
    await shop.follow(closed);

    const { transaction, userErrors } = await shop.pay({}, 'key-1');

    expect(transaction).toBeNull();
    expect(userErrors).toMatchObject([
      { __typename: 'RefusedByRoutingRule', code: 'REFUSED_BY_RULE', path: [], ruleCode: 'not_here' },
    ]);
    const where = { merchantAccountId: shop.id };
    expect(await server.app.db.prisma.transaction.count({ where })).toBe(0);
    // The key is unused, so the payment goes through once the rule has gone.
    await shop.activate({});
    expect((await shop.pay({}, 'key-1')).transaction?.status).toBe('AUTHORIZATION_SUCCEEDED');
  });

  it('keeps a buyer in a share of a split', async () => {
    const shop = await openShop(server);
    const [first, second] = shop.services;
    const share = (weight: number, id: string) => ({ weight, paymentServiceIds: [id] });
    await shop.follow({ name: 'Halves', action: { split: [share(1, first), share(1, second)] } });
    const buyers = await Promise.all(
      Array.from({ length: 8 }, () =>
        shop.ask<{ buyer: { id: string } }>('mutation { answer: createBuyer(input: {}) { buyer { id } } }'),
      ),
    );

    const paid = await Promise.all(
      buyers.flatMap(({ buyer }) => [1, 2, 3].map(() => shop.pay({ buyerId: buyer.id }))),
    );

    const shares = paid.map(({ transaction }) => transaction?.routing);
    for (const [index, each] of shares.entries()) {
      const same = shares[index - (index % 3)];
      expect([each?.draw, each?.share]).toEqual([same?.draw, same?.share]);
      expect(paid[index]?.transaction?.attempts[0]?.paymentService.id).toBe(
        shop.services[(each?.share ?? 0) - 1],
      );
    }
  });

  it.each([
    [
      'asks for an authentication that the payment leaves open',
      'ALWAYS',
      undefined,
      'ALWAYS',
      'BUYER_APPROVAL_PENDING',
    ],
    [
      'forbids an authentication that the payment leaves open',
      'NEVER',
      undefined,
      'NEVER',
      'AUTHORIZATION_SUCCEEDED',
    ],
    ['leaves the wish of the payment', 'ALWAYS', { request: 'NEVER' }, 'NEVER', 'AUTHORIZATION_SUCCEEDED'],
  ])('%s', async (_, threeDSecure, wish, request, status) => {
    const shop = await openShop(server, [{}, HOSTED, HOSTED]);
    await shop.follow({ name: 'All', action: { positions: true }, threeDSecure });

    const { transaction } = await shop.pay({ threeDSecure: wish, redirectUrl: 'https://shop.example/back' });

    expect(transaction).toMatchObject({ status, threeDSecure: { request } });
    expect(transaction?.routing?.threeDSecureRequest).toBe(wish ? null : threeDSecure);
    expect(transaction?.attempts[0]?.paymentService.id).toBe(shop.services[request === 'ALWAYS' ? 1 : 0]);
  });
});

describe('an activation', () => {
  it('holds for the next payment, at once or from its moment on, until another begins', async () => {
    const shop = await openShop(server);
    const [, second, third] = shop.services;
    const former = await shop.follow({ name: 'All', action: order(second) });
    expect(await shop.asked()).toEqual([2]);
    const { version } = await shop.makeVersion([{ name: 'All', action: order(third) }]);
    const activeFrom = new Date(clock.now().getTime() + 60_000).toISOString();
    await shop.activate({ versionId: version?.id, activeFrom });
    expect(await shop.asked()).toEqual([2]);

    clock.advance(60_000);
    expect(await shop.asked()).toEqual([3]);

    await shop.activate({ versionId: former });
    expect(await shop.asked()).toEqual([2]);
    await shop.activate({});
    expect(await shop.asked()).toEqual([1]);
  });

  it('leaves the explanation of earlier payments as it was', async () => {
    const shop = await openShop(server);
    const versionId = await shop.follow({
      name: 'Old',
      conditions: when({ metadata: { name: 'tier' } }),
      action: order(shop.services[1]),
    });
    const { transaction } = await shop.pay({ metadata: { tier: 'gold' } });
    await shop.follow({ name: 'New', action: order(shop.services[2]) });

    const later = await shop.transaction(transaction?.id ?? '');
    expect(later?.routing).toEqual(transaction?.routing);
    expect(later?.routing).toMatchObject({ version: { id: versionId }, ruleName: 'Old' });

    await shop.ask(
      'mutation ($id: ID!) { answer: updateTransaction(id: $id, input: { metadata: {} }) { userErrors { code } } }',
      { id: transaction?.id },
    );
    expect((await shop.transaction(transaction?.id ?? ''))?.routing).toMatchObject({
      rule: 1,
      ruleName: 'Old',
      rules: null,
    });
  });

  it('costs a payment no statement, once a process knows the version', async () => {
    const shop = await openShop(server);
    const sent: (string | null)[] = [];
    const { db } = server.app;
    const query = db.query.bind(db);
    Object.assign(db, {
      query: (statement: Parameters<typeof query>[0]) => {
        sent.push(statement.name);
        return query(statement);
      },
    });
    const statementsOf = async (): Promise<readonly (string | null)[]> => {
      sent.length = 0;
      await shop.ask(
        'mutation ($input: CreateTransactionInput!) { answer: createTransaction(input: $input) { transactionId } }',
        {
          input: { amount: 1, currency: 'USD', country: 'US', paymentMethod: { card: CARD } },
        },
      );
      return sent.filter((name) => !/^(relay_|accounts_away)/.test(name ?? '')).toSorted();
    };
    await statementsOf();
    const without = await statementsOf();
    await shop.follow({ name: 'All', action: order(shop.services[1]) });
    await statementsOf();

    expect(await statementsOf()).toEqual(without);
    Object.assign(db, { query });
  });
});

describe('explainRouting', () => {
  it('answers the decision, and the services in its order', async () => {
    const shop = await openShop(server);
    const [first, second, third] = shop.services;
    await shop.follow({
      name: 'Small',
      conditions: when({ amount: { currency: 'USD', max: 2000 } }),
      action: only(third, first),
    });

    const small = await shop.explain();
    const large = await shop.explain({ amount: 2001 });

    expect(small.candidates.map(({ paymentService }) => paymentService.id)).toEqual([third, first]);
    expect(small).toMatchObject({ candidateCount: 2, decision: { rule: 1, ruleName: 'Small' } });
    expect(small.candidates[0]?.message).toBe(
      "This payment service is the first in the order of the merchant's own rules that accepts the payment.",
    );
    expect(large.candidates.map(({ paymentService }) => paymentService.id)).toEqual([first, second, third]);
    expect(large.decision).toMatchObject({ rule: null, rules: [{ conditions: [{ saw: '2001 USD' }] }] });
  });

  it('answers a refusal', async () => {
    const shop = await openShop(server);
    await shop.follow({ name: 'Closed', action: { refuse: { code: 'not_here' } } });

    const { message, candidates, decision } = await shop.explain();

    expect(candidates).toEqual([]);
    expect(decision).toMatchObject({ ruleName: 'Closed', refusalCode: 'not_here' });
    expect(message).toBe('The routing rule "Closed" refuses the payment with the code not_here.');
  });

  it.each([
    ['card', 'pan'],
    ['bank', 'bank'],
    ['paypal', 'redirect'],
    ['applepay', 'applepay'],
  ])('describes a payment by %s as the rules see it', async (method, instrument) => {
    const shop = await openShop(server);
    const conditions = [{ fact: { method: [method] } }, { fact: { instrument: [instrument.toUpperCase()] } }];
    await shop.follow({ name: 'Ours', conditions, action: { positions: true } });

    const { decision } = await shop.explain({ method });

    expect(decision).toMatchObject({
      rule: 1,
      rules: [{ conditions: [{ saw: method }, { saw: instrument }] }],
    });
  });

  it('draws for a buyer as a payment does', async () => {
    const shop = await openShop(server);
    const [first, second] = shop.services;
    const shares = [first, second].map((id) => ({ weight: 1, paymentServiceIds: [id] }));
    await shop.follow({ name: 'Halves', action: { split: shares } });
    const { buyer } = await shop.ask<{ buyer: { id: string } }>(
      'mutation { answer: createBuyer(input: {}) { buyer { id } } }',
    );

    const { decision } = await shop.explain({ buyerId: buyer.id.toUpperCase() });
    const { transaction } = await shop.pay({ buyerId: buyer.id });

    expect(decision?.draw).toBe(transaction?.routing?.draw);
  });
});
