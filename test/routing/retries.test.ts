import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { holdFirstAt } from '../support/hold.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { CARD, openShop, type Input, type Shop } from './harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** Amounts for which the sandbox declines in a retriable way, declines for good, and fails. */
const [RETRIABLE, FINAL, TECHNICAL] = [200_012, 200_011, 300_013];

const only = (...paymentServiceIds: readonly string[]) => ({ order: { paymentServiceIds, onlyThese: true } });
const order = (...paymentServiceIds: readonly string[]) => ({ order: { paymentServiceIds } });
const END = { refuse: { code: 'enough' } };
const FIRST = { attempt: { max: 1 } };

const rule = (name: string, facts: readonly Input[], action: Input) => ({
  ...{ name, action },
  conditions: facts.map((fact) => ({ fact })),
});

type Rules = (shop: Shop) => readonly Input[];

describe('a further attempt', () => {
  it.each<[string, Rules, number, readonly number[]]>([
    [
      'goes elsewhere after a decline',
      ({ services: [, , third] }) => [rule('Decline', [{ formerOutcome: ['DECLINED'] }], order(third))],
      ...([RETRIABLE, [1, 3, 2]] as const),
    ],
    [
      'stays by position after an outcome that no rule names',
      ({ services: [, , third] }) => [rule('Decline', [{ formerOutcome: ['DECLINED'] }], order(third))],
      ...([TECHNICAL, [1, 2, 3]] as const),
    ],
    [
      'goes elsewhere after a code',
      ({ services: [, , third] }) => [rule('Fault', [{ formerErrorCode: ['service_error'] }], only(third))],
      ...([TECHNICAL, [1, 3]] as const),
    ],
    [
      'goes elsewhere after a service',
      ({ services: [first, second, third] }) => [
        rule('From the third', [{ formerService: [third] }], order(second)),
        rule('All', [], order(third, first)),
      ],
      ...([RETRIABLE, [3, 2, 1]] as const),
    ],
    [
      'is not bound by the services of the first attempt',
      ({ services: [first, second, third] }) => [
        rule('First', [FIRST], only(second)),
        rule('Then', [], order(third, first)),
      ],
      ...([RETRIABLE, [2, 3, 1]] as const),
    ],
    [
      'is bound by the services of its own rule',
      ({ services: [first, second] }) => [
        rule('First', [FIRST], only(second)),
        rule('Then', [], only(first)),
      ],
      ...([TECHNICAL, [2, 1]] as const),
    ],
    [
      'ends the payment by its number',
      () => [rule('Two are enough', [{ attempt: { min: 3 } }], END)],
      ...([RETRIABLE, [1, 2]] as const),
    ],
    [
      'ends the payment after an outcome',
      () => [rule('No other issuer', [{ formerOutcome: ['DECLINED'] }], END)],
      ...([RETRIABLE, [1]] as const),
    ],
    [
      'never asks a service again',
      ({ services: [first] }) => [rule('Again', [{ formerService: [first] }], only(first))],
      ...([RETRIABLE, [1]] as const),
    ],
    [
      'follows no decline that ends the payment, whatever the rules say',
      ({ services: [, second] }) => [
        rule('Decline', [{ formerOutcome: ['DECLINED', 'FAILED'] }], order(second)),
      ],
      ...([FINAL, [1]] as const),
    ],
  ])('%s', async (_, rulesOf, amount, expected) => {
    const shop = await openShop(server);
    await shop.follow(...rulesOf(shop));

    expect(await shop.asked({ amount })).toEqual(expected);
  });

  it('that a rule refuses leaves the outcome of the last attempt', async () => {
    const shop = await openShop(server);
    await shop.follow(rule('One is enough', [{ attempt: { min: 2 } }], END));

    const { transaction, userErrors } = await shop.pay({ amount: RETRIABLE }, 'key-1');

    expect(userErrors).toEqual([]);
    expect(transaction?.status).toBe('AUTHORIZATION_DECLINED');
    expect(transaction?.attempts).toHaveLength(1);
    expect((await shop.pay({ amount: RETRIABLE }, 'key-1')).transaction).toEqual(transaction);
  });

  it('passes over a service that accepts no such payment', async () => {
    const shop = await openShop(server, [{}, { acceptedCurrencies: ['EUR'] }, {}]);
    const [, second, third] = shop.services;
    await shop.follow(rule('Then', [{ attempt: { min: 2 } }], order(second, third)));

    expect(await shop.asked({ amount: RETRIABLE })).toEqual([1, 3]);
  });

  it('passes over a service without the authentication that the first rule asked for', async () => {
    const hosted = { paymentServiceDefinitionId: 'mockds-card', threeDSecureEnabled: true };
    const shop = await openShop(server, [hosted, {}, hosted]);
    const [, second, third] = shop.services;
    await shop.follow(rule('Then', [{ attempt: { min: 2 } }], order(second, third)), {
      ...{ name: 'All', action: { positions: true }, threeDSecure: 'ALWAYS' },
    });

    // The buyer of this card is authenticated at once.
    const card = { ...CARD, number: '4111111111101203' };
    const payment = { paymentMethod: { card }, redirectUrl: 'https://shop.example/back' };
    expect(await shop.asked({ amount: RETRIABLE, ...payment })).toEqual([1, 3]);
  });

  it('passes over a service that pays only for an authenticated buyer', async () => {
    const hosted = { paymentServiceDefinitionId: 'mockds-card', threeDSecureEnabled: true };
    const strict = { ...hosted, threeDSecureFallback: 'STOP' };
    const shop = await openShop(server, [hosted, strict, {}]);
    const [, second, third] = shop.services;
    await shop.follow(rule('Then', [{ attempt: { min: 2 } }], order(second, third)));

    // The buyer of this card is not enrolled, and the first service goes on all the same.
    const card = { ...CARD, number: '9000100111111117' };
    const payment = { paymentMethod: { card }, redirectUrl: 'https://shop.example/back' };
    expect(await shop.asked({ amount: RETRIABLE, ...payment })).toEqual([1, 3]);
  });

  it('keeps the share of a split', async () => {
    const shop = await openShop(server);
    const [first, second, third] = shop.services;
    const shares = [
      { weight: 1, paymentServiceIds: [second, first], onlyThese: true },
      { weight: 1, paymentServiceIds: [third, first], onlyThese: true },
    ];
    await shop.follow({ name: 'Halves', action: { split: shares } });

    const paid = await Promise.all(Array.from({ length: 6 }, () => shop.pay({ amount: RETRIABLE })));

    for (const { transaction } of paid) {
      const { share, draw, retries } = transaction?.routing ?? {};
      const asked = transaction?.attempts.map(({ paymentService }) => paymentService.id);
      expect(asked).toEqual(shares[(share ?? 0) - 1]?.paymentServiceIds);
      expect(retries).toMatchObject([{ attempt: 2, rule: 1, draw, share }]);
    }
  });
});

describe('the explanation of a payment', () => {
  const afterDecline = (shop: Shop) =>
    rule(
      'After a decline',
      [{ formerOutcome: ['DECLINED'] }, { attempt: { max: 2 } }],
      order(shop.services[2]),
    );

  it('names the rule of each attempt, and the view of its conditions', async () => {
    const shop = await openShop(server);
    const [first] = shop.services;
    await shop.follow(
      rule('Twice', [{ formerService: [first] }, { attempt: { min: 3 } }], END),
      afterDecline(shop),
    );

    const { transaction } = await shop.pay({ amount: RETRIABLE });
    const later = await shop.transaction(transaction?.id ?? '');

    expect(later?.routing).toEqual(transaction?.routing);
    expect(later?.routing).toMatchObject({ rule: null, rules: [{ holds: false }, { holds: false }] });
    expect(later?.routing?.retries).toEqual([
      {
        ...{ attempt: 2, rule: 2, ruleName: 'After a decline', draw: null, share: null },
        conditions: [
          { fact: 'formerOutcome', holds: true, saw: 'declined' },
          { fact: 'attempt', holds: true, saw: '2' },
        ],
      },
      { attempt: 3, rule: null, ruleName: null, draw: null, share: null, conditions: [] },
    ]);
  });

  it('has no decision of a rule about an attempt that never was', async () => {
    const shop = await openShop(server);
    await shop.follow(rule('Euros', [{ currency: ['EUR'] }], END));

    const [approved, declined] = await Promise.all([shop.pay(), shop.pay({ amount: FINAL })]);

    for (const { transaction } of [approved, declined]) expect(transaction?.routing?.retries).toEqual([]);
  });

  it('follows the version of the first attempt, although another one is active meanwhile', async () => {
    const shop = await openShop(server);
    const versionId = await shop.follow(afterDecline(shop));
    const held = holdFirstAt('authorize.rerouted');
    const paying = shop.pay({ amount: RETRIABLE });
    await held.reached;
    await shop.follow(rule('No more', [{ attempt: { min: 2 } }], END));
    held.go();

    const { transaction } = await paying;

    expect(
      transaction?.attempts.map(({ paymentService }) => shop.services.indexOf(paymentService.id)),
    ).toEqual([...[0, 2, 1]]);
    expect(transaction?.routing).toMatchObject({
      version: { id: versionId },
      retries: [{ rule: 1 }, { rule: null }],
    });
    expect(await shop.asked({ amount: RETRIABLE })).toEqual([1]);
  });
});

describe('a rule about attempts', () => {
  const faultsOf = async (fact: Input): Promise<readonly string[]> => {
    const shop = await openShop(server);
    const { version, userErrors } = await shop.makeVersion([rule('A', [fact], { positions: true })]);
    expect(version).toBeNull();
    return userErrors.map(({ path, message }) => `${path.join('.')}: ${message}`);
  };

  it.each<[string, Input, string]>([
    [
      'a code that ends a payment',
      { formerErrorCode: ['insufficient_funds'] },
      'conditions.0.fact.formerErrorCode.0: Must be a code that allows another attempt.',
    ],
    [
      'a service of nobody',
      { formerService: ['01900000-0000-7000-8000-000000000000'] },
      'conditions: Must name payment services of the merchant account that are not deleted.',
    ],
    [
      'a word that is no id',
      { formerService: ['first'] },
      'conditions.0.fact.formerService.0: Must be the id of a payment service.',
    ],
    [
      'no bound',
      { attempt: {} },
      'conditions.0.fact.attempt: Give min, max, or both, and min not above max.',
    ],
  ])('does not name %s', async (_, fact, message) => {
    expect(await faultsOf(fact)).toEqual([`input.rules.0.${message}`]);
  });

  it('is warned of an authentication that comes too late', async () => {
    const shop = await openShop(server);

    const { warnings } = await shop.makeVersion(
      [{ ...rule('Then', [{ attempt: { min: 2 } }], { positions: true }), threeDSecure: 'ALWAYS' }],
      { dryRun: true },
    );

    expect(warnings).toEqual([
      {
        ...{ code: 'THREE_D_SECURE_TOO_LATE', rule: 1 },
        message: 'Only the first attempt decides about the authentication, and the rule holds for none.',
      },
    ]);
  });

  it('is read as it was given', async () => {
    const shop = await openShop(server);
    const facts = [
      { attempt: { min: 2, max: null } },
      { formerOutcome: ['DECLINED', 'FAILED'] },
      { formerErrorCode: ['service_error'] },
      { formerService: [shop.services[0]] },
    ];

    const { version } = await shop.makeVersion([rule('Then', facts, { positions: true })]);

    expect(version?.rules).toMatchObject([{ conditions: facts.map((fact) => ({ fact, not: false })) }]);
  });
});
