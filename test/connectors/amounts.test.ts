import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  fromDecimalText,
  fromProviderUnits,
  toDecimalText,
  toProviderUnits,
  unitOf,
  type AmountForms,
} from '../../src/connectors/codes/amounts.ts';
import { CURRENCIES, decimalsOf } from '../../src/kernel/currency.ts';
import { AMOUNT_MAX } from '../../src/kernel/money.ts';

/** Every kind of exception that providers have: more decimals, fewer decimals, and steps. */
const FORMS: AmountForms = {
  ISK: { decimals: 2 },
  CLP: { decimals: 2 },
  MGA: { decimals: 0 },
  HUF: { decimals: 0 },
  BHD: { decimals: 3, step: 10 },
};

const money = fc.record({
  amount: fc.integer({ min: 0, max: AMOUNT_MAX }),
  currency: fc.constantFrom(...CURRENCIES),
});

describe('the decimals of a currency', () => {
  it.each([
    ['USD', 2],
    ['JPY', 0],
    ['ALL', 2],
    ['KWD', 3],
    ['CLF', 4],
    ['ZZZ', null],
  ])('%s has %j', (currency, decimals) => {
    expect(decimalsOf(currency)).toBe(decimals);
  });
});

describe("a provider's amount", () => {
  it.each([
    [{ amount: 1299, currency: 'USD' }, 1299, '12.99'],
    [{ amount: 5, currency: 'USD' }, 5, '0.05'],
    [{ amount: 1299, currency: 'JPY' }, 1299, '1299'],
    [{ amount: 1299, currency: 'ISK' }, 129_900, '1299.00'],
    [{ amount: 1200, currency: 'MGA' }, 12, '12'],
    [{ amount: 1250, currency: 'BHD' }, 1250, '1.250'],
  ])('of %j is %j or %j', (given, units, text) => {
    expect([toProviderUnits(given, FORMS), toDecimalText(given, FORMS)]).toEqual([units, text]);
  });

  it.each([
    ['a part of the smallest unit', { amount: 1250, currency: 'HUF' }],
    ['no multiple of the step', { amount: 1255, currency: 'BHD' }],
    ['an unknown currency', { amount: 1, currency: 'ZZZ' }],
  ])('cannot express %s, and is never rounded', (_, given) => {
    expect([toProviderUnits(given, FORMS), toDecimalText(given, FORMS)]).toEqual([null, null]);
  });

  it.each([
    ['12.990', 'USD', 1299],
    ['12', 'USD', 1200],
    ['12.9', 'USD', 1290],
    ['12.995', 'USD', null],
    ['1299.50', 'ISK', null],
    ['12', 'MGA', 1200],
    ['1,299.00', 'USD', null],
    ['-1.00', 'USD', null],
    ['1e3', 'USD', null],
    ['', 'USD', null],
    ['1', 'ZZZ', null],
  ])('%j of %s is read as %j', (text, currency, amount) => {
    expect(fromDecimalText(text, currency, FORMS)).toEqual(amount === null ? null : { amount, currency });
  });

  it('of any money in any currency comes back unchanged, or cannot be expressed', () => {
    let expressed = 0;
    fc.assert(
      fc.property(money, (given) => {
        const units = toProviderUnits(given, FORMS);
        const text = toDecimalText(given, FORMS);
        expect(units === null).toBe(text === null);
        if (units === null || text === null) return;
        expressed += 1;
        expect(fromProviderUnits(units, given.currency, FORMS)).toEqual(given);
        expect(fromDecimalText(text, given.currency, FORMS)).toEqual(given);
      }),
      { numRuns: 5_000 },
    );
    expect(expressed).toBeGreaterThan(4_000);
  });

  it.each([
    ['USD', 1],
    ['ISK', 1],
    ['HUF', 100],
    ['BHD', 10],
    ['UGX', 1],
    ['XAF', 5],
    ['ZZZ', 1],
  ])('of %s is a multiple of %i', (currency, unit) => {
    const forms = { ...FORMS, UGX: { decimals: 2, step: 100 }, XAF: { decimals: 1, step: 50 } };
    expect(unitOf(currency, forms)).toBe(unit);
  });

  it('can be expressed if it is a multiple of the unit, and never otherwise', () => {
    fc.assert(
      fc.property(money, (given) => {
        const isMultiple = given.amount % unitOf(given.currency, FORMS) === 0;
        expect(toProviderUnits(given, FORMS) !== null).toBe(isMultiple);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(CURRENCIES)('of %s is exact without exceptions', (currency) => {
    for (const amount of [0, 1, 99, 1_001, AMOUNT_MAX])
      expect(toProviderUnits({ amount, currency }, {})).toBe(amount);
  });
});
