import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { orderByCost, type Price } from '../../src/modules/routing/figures/by-cost.ts';
import { lowerBound, orderBySuccess } from '../../src/modules/routing/figures/by-success.ts';
import {
  countFigures,
  type PastOutcomes,
  type SettledFees,
} from '../../src/modules/routing/figures/count.ts';
import { compileFigures, type FiguresContent } from '../../src/modules/routing/figures/figures.ts';
import { compileVersion } from '../../src/modules/routing/model/compile.ts';
import { DRAWS, othersAt } from '../../src/modules/routing/model/draw.ts';
import { decide, decideNext } from '../../src/modules/routing/index.ts';
import type { CostAction, SuccessAction } from '../../src/modules/routing/model/rule.ts';
import { PAYMENT, SERVICES, versionOf } from './arbitrary.ts';
import { idOf } from './ids.ts';

const LIKE_PAYMENT = {
  ...{ method: 'card', scheme: 'visa', country: 'DE', currency: 'EUR', digits: '4' },
  ...{ lastHours: 72, declined: 0, failed: 0 },
};
const LIKE_SETTLED = {
  ...{ method: 'card', scheme: 'visa', country: 'DE', bin: '411111', currency: 'EUR', digits: '4' },
};

const compiled = (content: Partial<FiguresContent>) =>
  compileFigures({ id: 'figures', madeAt: '2026-03-02T09:00:00Z', rates: [], fees: [], ...content });

const rates = (...outcomes: readonly (Partial<PastOutcomes> & { readonly paymentServiceId: string })[]) =>
  compiled(
    countFigures({
      ...{ periods: [24, 72], fees: [] },
      outcomes: outcomes.map((each) => ({ ...LIKE_PAYMENT, authorized: 0, ...each })),
    }),
  );

const fees = (...settled: readonly (Partial<SettledFees> & { readonly paymentServiceId: string })[]) =>
  compiled(
    countFigures({
      ...{ periods: [], outcomes: [] },
      fees: settled.map((each) => ({ ...LIKE_SETTLED, payments: 100, amount: 100_000, fees: 0, ...each })),
    }),
  );

const TERMS = { paymentServiceIds: ['a', 'b', 'c'], lastHours: 72, minimumCases: 100 };
const BY_SUCCESS: SuccessAction = { kind: 'bySuccess', ...TERMS, onlyThese: false, keepShare: 0 };
const BY_COST: CostAction = {
  kind: 'byCost',
  ...{ paymentServiceIds: ['a', 'b', 'c'], onlyThese: false, table: [] },
};

const price = (paymentServiceId: string, percentage: string, more: Partial<Price> = {}): Price => ({
  ...{ paymentServiceId, percentage, scheme: null, country: null, fixed: null },
  ...more,
});

it('asks first the service with the highest lower bound', () => {
  const { paymentServiceIds, services } = orderBySuccess(
    TERMS,
    PAYMENT,
    rates(
      { paymentServiceId: 'a', authorized: 900, declined: 100 },
      { paymentServiceId: 'b', authorized: 950, declined: 40, failed: 10 },
      // The rate is higher, and the few cases prove less.
      { paymentServiceId: 'c', authorized: 96, declined: 4 },
    ),
  );

  expect(paymentServiceIds).toEqual(['b', 'c', 'a']);
  const segment = ['method', 'scheme', 'country', 'currency', 'digits'];
  expect(services).toEqual([
    { paymentServiceId: 'b', segment, cases: 1000, authorized: 950, bound: 934686 },
    { paymentServiceId: 'c', segment, cases: 100, authorized: 96, bound: 901629 },
    { paymentServiceId: 'a', segment, cases: 1000, authorized: 900, bound: 879848 },
  ]);
});

it('compares all services in one segment, and puts the unknown ones behind', () => {
  const figures = rates(
    { paymentServiceId: 'a', authorized: 500 },
    { paymentServiceId: 'b', authorized: 50 },
    { paymentServiceId: 'b', authorized: 300, declined: 100, country: 'FR', digits: '5' },
    { paymentServiceId: 'c', authorized: 99 },
  );

  const { services } = orderBySuccess(
    { ...TERMS, paymentServiceIds: ['c', 'b', 'a'] },
    { ...PAYMENT, country: 'FR' },
    figures,
  );

  expect(services).toEqual([
    expect.objectContaining({ paymentServiceId: 'a', segment: ['method', 'scheme'], cases: 500 }),
    expect.objectContaining({ paymentServiceId: 'b', segment: ['method', 'scheme'], cases: 450 }),
    { paymentServiceId: 'c', segment: ['method', 'scheme'], cases: 99, authorized: 99 },
  ]);
});

it('counts the attempts of the rule’s own hours alone', () => {
  const figures = rates(
    { paymentServiceId: 'a', authorized: 100, lastHours: 24 },
    { paymentServiceId: 'b', authorized: 90, declined: 10, lastHours: 24 },
    { paymentServiceId: 'b', authorized: 10_000, lastHours: 72 },
  );
  const firstOf = (lastHours: number) =>
    orderBySuccess({ ...TERMS, lastHours }, PAYMENT, figures).paymentServiceIds[0];

  expect([firstOf(24), firstOf(72)]).toEqual(['a', 'b']);
});

it.each([
  ['without figures', null],
  ['with the cases of one service', rates({ paymentServiceId: 'b', authorized: 5_000 })],
  [
    'with too few cases',
    rates({ paymentServiceId: 'b', authorized: 99 }, { paymentServiceId: 'c', authorized: 99 }),
  ],
  ['for another method', rates({ paymentServiceId: 'b', authorized: 500, method: 'paypal' })],
])('keeps the listed order %s', (_, figures) => {
  const { paymentServiceIds, services } = orderBySuccess(TERMS, PAYMENT, figures);

  expect(paymentServiceIds).toEqual(['a', 'b', 'c']);
  expect(services.filter((service) => 'bound' in service)).toEqual([]);
});

it('has a lower bound that rises with the successes, and with the cases of one rate', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 10, max: 100_000 }),
      fc.nat(),
      fc.integer({ min: 2, max: 50 }),
      (cases, some, times) => {
        const authorized = some % (cases + 1);
        const bound = lowerBound(authorized, cases);

        expect(bound).toBeGreaterThanOrEqual(0);
        expect(bound).toBeLessThanOrEqual((1_000_000 * authorized) / cases + 1);
        expect(lowerBound(authorized * times, cases * times)).toBeGreaterThanOrEqual(bound);
        if (authorized < cases) expect(lowerBound(authorized + 1, cases)).toBeGreaterThanOrEqual(bound);
      },
    ),
  );
});

const anyOutcomes = fc.array(
  fc.record({
    ...{ paymentServiceId: fc.constantFrom(...SERVICES), method: fc.constantFrom('card', 'paypal') },
    ...{ scheme: fc.constantFrom('visa', null), country: fc.constantFrom('DE', 'FR', null) },
    ...{ currency: fc.constantFrom('EUR', 'USD'), digits: fc.constantFrom('3', '4') },
    ...{
      lastHours: fc.constantFrom(24, 72),
      authorized: fc.nat(500),
      declined: fc.nat(50),
      failed: fc.nat(9),
    },
  }),
  { maxLength: 40 },
);
const anySettled = fc.array(
  fc.record({
    ...{ paymentServiceId: fc.constantFrom(...SERVICES), method: fc.constantFrom('card') },
    ...{ scheme: fc.constantFrom('visa', null), country: fc.constantFrom('DE', 'FR', null) },
    ...{ bin: fc.constantFrom('411111', '555555', null), currency: fc.constantFrom('EUR', 'USD') },
    ...{ digits: fc.constantFrom('3', '4'), payments: fc.nat(50), amount: fc.nat(90_000), fees: fc.nat(900) },
  }),
  { maxLength: 40 },
);

it('gives the same figures and the same route for the same past, in whatever order it is read', () => {
  fc.assert(
    fc.property(anyOutcomes, anySettled, fc.uuid(), (outcomes, settled, buyerId) => {
      const past = { periods: [24, 72], outcomes, fees: settled };
      const content = countFigures(past);

      expect(
        countFigures({
          periods: [72, 24],
          outcomes: outcomes.toReversed(),
          fees: settled.toReversed(),
        }),
      ).toEqual(content);
      const shuffled = { rates: content.rates.toReversed(), fees: content.fees.toReversed() };
      for (const action of [{ ...BY_SUCCESS, keepShare: 20 }, BY_COST]) {
        const version = compileVersion(versionOf({ action }));
        // A process reads figures from the database.
        const read = JSON.parse(JSON.stringify(shuffled)) as FiguresContent;
        const facts = { ...PAYMENT, buyerId };
        const decision = decide({ ...version, figures: compiled(content) }, facts);
        expect(decide({ ...version, figures: compiled(read) }, facts)).toEqual(decision);
        expect(decision.rule?.position).toBe(1);
        const ids = decision.route.kind === 'order' ? decision.route.paymentServiceIds : [];
        expect(ids.toSorted()).toEqual(['a', 'b', 'c']);
      }
    }),
  );
});

it.each([5, 10, 50])('keeps %i %% of 20,000 payments for the other services, in equal parts', (keepShare) => {
  const figures = rates(
    { paymentServiceId: 'a', authorized: 900, declined: 100 },
    { paymentServiceId: 'b', authorized: 950, declined: 50 },
    { paymentServiceId: 'c', authorized: 800, declined: 200 },
  );
  const version = { ...compileVersion(versionOf({ action: { ...BY_SUCCESS, keepShare } })), figures };
  const counts = { a: 0, b: 0, c: 0 };
  for (let nth = 0; nth < 20_000; nth += 1) {
    const { route, compared } = decide(version, { ...PAYMENT, paymentId: idOf(nth) });
    const [first] = route.kind === 'order' ? route.paymentServiceIds : [];
    counts[first as keyof typeof counts] += 1;
    expect(compared?.trial).toBe(first !== 'b');
  }

  // Four standard deviations of independent draws.
  const tolerance = 4 * Math.sqrt((keepShare * (100 - keepShare)) / 20_000);
  expect(Math.abs((counts.a + counts.c) / 200 - keepShare)).toBeLessThan(tolerance);
  expect(Math.abs((counts.a - counts.c) / 200)).toBeLessThan(1);
});

it.each([1, 5, 33, 50])('gives %i %% of all draws to the others, and each its exact part', (share) => {
  const counts = [0, 0, 0];
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const other = othersAt(counts.length, share, draw);
    if (other !== -1) counts[other] = (counts[other] ?? 0) + 1;
  }

  expect(counts.reduce((sum, count) => sum + count, 0)).toBe((share * DRAWS) / 100);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
});

it('lets a buyer stay with the service that they try, and goes on by the same figures', () => {
  const figures = rates(
    { paymentServiceId: 'a', authorized: 900 },
    { paymentServiceId: 'b', authorized: 950 },
  );
  const version = { ...compileVersion(versionOf({ action: { ...BY_SUCCESS, keepShare: 50 } })), figures };
  const facts = { ...PAYMENT, buyerId: idOf(1) };
  const first = decide(version, facts);

  expect(decide(version, { ...facts, paymentId: idOf(2), amount: 5, country: 'FR' }).route).toEqual(
    first.route,
  );
  const former = { outcome: 'failed', errorCode: 'service_error', paymentServiceId: 'a' } as const;
  const next = decideNext({ version, facts }, former);
  expect(next.route).toEqual(first.route);
  expect(next.retry.compared).toEqual(first.compared);
});

it('asks first the cheapest service by its settlements, whatever the table says', () => {
  const { services } = orderByCost(
    { ...BY_COST, table: [price('a', '0.1'), price('c', '1.5', { fixed: { amount: 5, currency: 'EUR' } })] },
    PAYMENT,
    fees({ paymentServiceId: 'a', fees: 2_000 }, { paymentServiceId: 'b', fees: 1_900 }),
  );

  const segment = ['method', 'bin', 'currency', 'digits'];
  expect(services).toEqual([
    // 1.5 % of 12.99, and 5 cents.
    { paymentServiceId: 'c', segment: null, cases: null, fee: 244_850, source: 'table' },
    // 1.9 % and 2 % of 12.99.
    { paymentServiceId: 'b', segment, cases: 100, fee: 246_810, source: 'settlements' },
    { paymentServiceId: 'a', segment, cases: 100, fee: 259_800, source: 'settlements' },
  ]);
});

it.each<[string, Partial<SettledFees>, readonly string[] | null]>([
  ['of its BIN', {}, ['method', 'bin', 'currency', 'digits']],
  ['of its BIN with another amount', { digits: '6' }, ['method', 'bin', 'currency']],
  ['of its scheme and country', { bin: '499999' }, ['method', 'scheme', 'country', 'currency', 'digits']],
  ['of its scheme', { bin: null, country: 'US' }, ['method', 'scheme', 'currency', 'digits']],
  ['of its amount', { bin: null, scheme: 'amex' }, ['method', 'currency', 'digits']],
  ['of its currency', { bin: null, digits: '7' }, ['method', 'currency']],
  ['of another currency', { currency: 'USD' }, null],
  ['of another method', { method: 'paypal' }, null],
  ['that are too few', { payments: 19 }, null],
])('takes the fees of the payments %s', (_, settled, segment) => {
  const figures = fees({ paymentServiceId: 'a', fees: 1_000, ...settled });

  expect(orderByCost(BY_COST, PAYMENT, figures).services[0]?.segment).toEqual(segment);
});

it('takes the first price that fits the payment, and puts a service without a fee last', () => {
  const table = [
    price('b', '9', { scheme: 'mastercard' }),
    price('b', '8', { country: 'FR' }),
    price('b', '7', { fixed: { amount: 1, currency: 'USD' } }),
    price('b', '2.0001'),
    price('b', '6'),
    price('c', '2'),
  ];

  expect(orderByCost({ ...BY_COST, table }, { ...PAYMENT, amount: 10_000 }, null).services).toEqual([
    { paymentServiceId: 'c', segment: null, cases: null, fee: 2_000_000, source: 'table' },
    { paymentServiceId: 'b', segment: null, cases: null, fee: 2_000_100, source: 'table' },
    { paymentServiceId: 'a', segment: null, cases: null },
  ]);
});

it('rounds a fee half up, also below zero, and compares no payment without an amount', () => {
  const ofOne = (sum: number, amount: number | null) =>
    orderByCost(
      { ...BY_COST, paymentServiceIds: ['a'] },
      { ...PAYMENT, amount, currency: 'JPY' },
      fees({ paymentServiceId: 'a', currency: 'JPY', amount: 20_000, fees: sum }),
    ).services[0]?.fee;

  expect([ofOne(1, 1), ofOne(3, 1), ofOne(-1, 1), ofOne(-3, 1), ofOne(1, null)]).toEqual([
    1,
    2,
    0,
    -1,
    undefined,
  ]);
});
