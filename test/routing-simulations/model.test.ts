import { describe, expect, it } from '@jest/globals';
import { countPayment } from '../../src/modules/routing-simulations/model/count.ts';
import { resultOf } from '../../src/modules/routing-simulations/model/expect.ts';
import type {
  AttemptEnd,
  ComparedPayment,
  ComparedRoute,
} from '../../src/modules/routing-simulations/model/payment.ts';
import { newTally, tallyFromText, tallyToText } from '../../src/modules/routing-simulations/model/tally.ts';
import { wilson } from '../../src/modules/routing/index.ts';

type Attempts = readonly (readonly [service: string, end: AttemptEnd])[];

let made = 0;

/** A payment of 10.00 US dollars with these attempts. */
const paid = (attempts: Attempts, change: Partial<ComparedPayment> = {}): ComparedPayment => ({
  id: String((made += 1)).padStart(6, '0'),
  ...{ amount: 1000, currency: 'USD', method: 'card', scheme: 'visa', country: 'US', feeRate: null },
  attempts: attempts.map(([paymentServiceId, end]) => ({ paymentServiceId, end })),
  ...change,
});

const to = (...paymentServiceIds: readonly string[]): ComparedRoute => ({
  ...{ rule: { position: 1, name: 'All' }, share: null, refusalCode: null, paymentServiceIds },
});

const REFUSED: ComparedRoute = { ...to(), refusalCode: 'too_large' };

type Played = readonly [payment: ComparedPayment, route: ComparedRoute | null, times?: number];

function played(...all: readonly Played[]) {
  const tally = newTally();
  for (const [payment, route, times = 1] of all)
    for (let time = 1; time <= times; time += 1) countPayment(tally, payment, route);
  return resultOf(tally);
}

describe('a payment that keeps its way', () => {
  it('keeps its real outcome, without any uncertainty', () => {
    const { compared, unknown } = played(
      [paid([['a', 'authorized']]), to('a', 'b'), 3],
      [paid([['a', 'refused']]), to('a', 'b'), 2],
    );

    expect(compared).toEqual({
      ...{ payments: 5, authorizedThen: 3, authorizedExpected: 3, authorizedLow: 3, authorizedHigh: 3 },
      ...{ attemptsThen: 5, attemptsExpected: 5 },
    });
    expect(unknown.payments).toBe(0);
  });

  it('ends where the route of the simulation ends', () => {
    const way: Attempts = [
      ['a', 'went_on'],
      ['b', 'authorized'],
    ];
    const { compared } = played([paid(way), to('a')]);

    expect(compared).toMatchObject({ authorizedThen: 1, authorizedExpected: 0, authorizedHigh: 0 });
    expect(compared).toMatchObject({ attemptsThen: 2, attemptsExpected: 1 });
  });
});

describe('a payment that goes elsewhere', () => {
  it('is expected to be authorised as often as such payments of its new service', () => {
    const { compared } = played(
      [paid([['b', 'authorized']]), to('b'), 80],
      [paid([['b', 'refused']]), to('b'), 20],
      [paid([['a', 'authorized']]), to('b'), 10],
    );

    const { low, high } = wilson(80, 100);
    expect(compared).toMatchObject({ payments: 110, authorizedThen: 90, authorizedExpected: 88 });
    expect(compared.authorizedLow).toBeCloseTo(80 + 10 * low, 9);
    expect(compared.authorizedHigh).toBeCloseTo(80 + 10 * high, 9);
  });

  it('goes on to the next service as often as refusals allow, with the rate of later attempts', () => {
    const later: Attempts = [
      ['a', 'went_on'],
      ['b', 'authorized'],
    ];
    const { compared } = played(
      [paid(later), to('a', 'b'), 1],
      [paid([...later.slice(0, 1), ['b', 'refused']]), to('a', 'b'), 3],
      [paid([['a', 'authorized']]), to('a', 'b'), 4],
      [paid([['c', 'authorized']]), to('a', 'b'), 8],
    );

    // Four of the eight are authorised at once. Four go on, and a quarter of them is authorised.
    expect(compared.authorizedExpected).toBe(5 + 5);
    expect(compared.attemptsExpected).toBe(12 + 12);
  });

  it('counts a later service without such payments as refused, and in the upper bound as authorised', () => {
    const { compared } = played(
      [paid([['a', 'went_on']]), to('a'), 10],
      [paid([['a', 'refused']]), to('a'), 40],
      [paid([['a', 'authorized']]), to('a'), 50],
      [paid([['c', 'authorized']]), to('a', 'b'), 10],
    );

    expect(compared.authorizedExpected).toBe(55);
    // One in ten goes on, so one of the ten payments.
    expect(compared.authorizedHigh).toBeCloseTo(50 + 10 * wilson(50, 100).high + 1, 9);
  });

  it('is unknown if its new service saw no such payment', () => {
    const seen = paid([['b', 'authorized']]);
    const { compared, unknown, unknownSegments } = played(
      [seen, to('b'), 5],
      [paid([['a', 'authorized']], { scheme: 'amex' }), to('b'), 2],
      [paid([['a', 'refused']], { country: 'DE' }), to('b'), 1],
    );

    expect(compared).toMatchObject({ payments: 5, authorizedThen: 5 });
    expect(unknown).toEqual({ payments: 3, authorizedThen: 2 });
    expect(unknownSegments).toEqual([
      {
        ...{ paymentServiceId: 'b', payments: 2, currency: 'USD', method: 'card' },
        ...{ scheme: 'amex', country: 'US', digits: 4 },
      },
      {
        ...{ paymentServiceId: 'b', payments: 1, currency: 'USD', method: 'card' },
        ...{ scheme: 'visa', country: 'DE', digits: 4 },
      },
    ]);
  });

  it('is not told by later attempts at its new service', () => {
    const later: Attempts = [
      ['a', 'went_on'],
      ['b', 'authorized'],
    ];
    const { unknown } = played([paid(later), to('a', 'b')], [paid([['a', 'authorized']]), to('b')]);

    expect(unknown).toEqual({ payments: 1, authorizedThen: 1 });
  });
});

describe('a payment that ends', () => {
  it('is refused by its code, or without a service, and nobody authorises it', () => {
    const result = played(
      [paid([['a', 'authorized']]), REFUSED, 3],
      [paid([['a', 'refused']]), REFUSED],
      [paid([['a', 'authorized']]), to(), 2],
    );

    expect(result.refused).toEqual([{ code: 'too_large', payments: 4, authorizedThen: 3 }]);
    expect(result.withoutService).toEqual({ payments: 2, authorizedThen: 2 });
    expect(result.compared).toMatchObject({ payments: 6, authorizedThen: 5, authorizedExpected: 0 });
  });

  it('counts each payment once, whatever its way', () => {
    const result = played(
      [paid([['a', 'authorized']]), null, 2],
      [paid([['a', 'open']]), to('a'), 3],
      [paid([]), to('a')],
      [paid([['a', 'authorized']]), REFUSED],
      [paid([['a', 'authorized']]), to('b')],
    );

    expect(result).toMatchObject({ payments: 8, passedBy: 2, open: 4, unknown: { payments: 1 } });
    expect(result.compared.payments).toBe(1);
    expect(result.moves).toEqual([
      { from: 'a', to: 'a', payments: 3 },
      { from: null, to: 'a', payments: 1 },
      { from: 'a', to: null, payments: 1 },
      { from: 'a', to: 'b', payments: 1 },
    ]);
    expect(result.rules).toEqual([{ position: 1, payments: 6 }]);
  });
});

describe('the fees', () => {
  it('take the rate of the service with such payments, then of the service, then none', () => {
    const at = (service: string, feeRate: number | null, change = {}) =>
      paid([[service, 'authorized']], { feeRate, ...change });
    const { fees } = played(
      [at('a', 0.02), to('a'), 10],
      [at('b', 0.01), to('b'), 10],
      [at('b', null), to('b'), 10],
      [at('b', null, { country: 'DE' }), to('b'), 1],
      [at('c', null), to('c'), 1],
      [at('a', 0.02), to('b'), 5],
    );

    expect(fees).toEqual([
      {
        currency: 'USD',
        then: 15 * 20 + 20 * 10 + 10,
        expected: 10 * 20 + 20 * 10 + 10 + 5 * 10,
        amountWithoutFeeThen: 1000,
        amountWithoutFeeExpected: 1000,
      },
    ]);
  });

  it('leave unknown payments out on both sides', () => {
    const { fees } = played([paid([['a', 'authorized']], { feeRate: 0.02 }), to('b')]);

    expect(fees).toEqual([]);
  });
});

describe('the payments that differ most', () => {
  it('are ten, by the kind of the difference and the amount, whatever their order', () => {
    const all: Played[] = [
      ...Array.from({ length: 20 }, (_, place): Played => [
        paid([['a', 'authorized']], { amount: 1001 + ((place * 7) % 20) }),
        to('b'),
      ]),
      [paid([['a', 'refused']], { amount: 5 }), to('b')],
      [paid([['a', 'authorized']], { amount: 7 }), to()],
      [paid([['a', 'authorized']], { amount: 6 }), REFUSED],
      [paid([['a', 'refused']], { amount: 9_000 }), REFUSED],
      [paid([['a', 'authorized']], { amount: 9_000 }), to('a')],
    ];

    const { differing } = played(...all);
    expect(differing.map(({ difference, amount }) => [difference, amount])).toEqual([
      ['authorized_then_refused', 6],
      ['authorized_then_without_service', 7],
      ['refused_then_elsewhere', 5],
      ...[1020, 1019, 1018, 1017, 1016, 1015, 1014].map((amount) => ['authorized_then_elsewhere', amount]),
    ]);
    expect(played(...all.toReversed()).differing).toEqual(differing);
  });
});

describe('the counts', () => {
  it('survive their text', () => {
    const tally = newTally();
    const other = newTally();
    for (let place = 0; place < 40; place += 1) {
      const payment = paid([['ab'[place % 2] ?? '', place % 3 === 0 ? 'refused' : 'authorized']], {
        ...{ id: String(place), amount: 900 + place * 10, feeRate: 0.015 },
      });
      const route = place % 7 === 0 ? REFUSED : to('b', 'a');
      countPayment(tally, payment, route);
      countPayment(other, payment, route);
      if (place === 20) Object.assign(other, tallyFromText(tallyToText(other)));
    }

    expect(resultOf(other)).toEqual(resultOf(tally));
  });

  it('stay bounded, and then compare by currency and method alone', () => {
    const tally = newTally();
    for (let place = 0; place < 6_000; place += 1)
      countPayment(tally, paid([['a', 'authorized']], { country: `C${place}` }), to('b', `s${place}`));

    expect(tally.cells.size).toBe(5_001);
    expect(resultOf(tally)).toMatchObject({ payments: 6_000, widened: 1_000 });
  });
});

describe("Wilson's interval", () => {
  it.each([
    [0, 0, 0, 1],
    [3, 3, 0.4385, 1],
    [0, 3, 0, 0.5615],
    [80, 100, 0.7112, 0.8666],
  ])('of %i in %i is from %f to %f', (successes, cases, low, high) => {
    const bounds = wilson(successes, cases);

    expect(bounds.low).toBeCloseTo(low, 4);
    expect(bounds.high).toBeCloseTo(high, 4);
  });
});
