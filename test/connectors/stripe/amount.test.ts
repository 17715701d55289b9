import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fromStripe, toStripe } from '../../../src/connectors/stripe/model/amount.ts';
import { CURRENCIES, decimalsOf } from '../../../src/kernel/currency.ts';
import { AMOUNT_MAX } from '../../../src/kernel/money.ts';

const money = fc.record({
  amount: fc.integer({ min: 0, max: AMOUNT_MAX }),
  currency: fc.constantFrom(...CURRENCIES),
});

describe('an amount at Stripe', () => {
  it.each<readonly [number, string, number | null]>([
    [1099, 'USD', 1099],
    [1099, 'JPY', 1099],
    [1099, 'CLP', 1099],
    [1099, 'HUF', 1099],
    [1099, 'TWD', 1099],
    [1099, 'IDR', 1099],
    [1099, 'CVE', 1099],
    [1099, 'ISK', 109_900],
    [1099, 'UGX', 109_900],
    [1000, 'MGA', 10],
    [1010, 'MGA', null],
    [1010, 'KWD', 1010],
    [1011, 'KWD', null],
    [1005, 'BHD', null],
    [1020, 'TND', 1020],
    [1_000_000, 'ISK', null],
    [99_999_999, 'USD', 99_999_999],
    [1099, 'ZZZ', null],
  ])('%i %s is %j', (amount, currency, expected) => {
    const given = toStripe({ amount, currency });
    expect(given).toEqual(expected === null ? null : { amount: expected, currency: currency.toLowerCase() });
  });

  it.each(['BIF', 'CLP', 'DJF', 'GNF', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'])(
    '%s has no decimals, and keeps its number',
    (currency) => {
      expect(decimalsOf(currency)).toBe(0);
      expect(toStripe({ amount: 7, currency })).toEqual({ amount: 7, currency: currency.toLowerCase() });
    },
  );

  it('is the same again on its way back, in every currency', () => {
    fc.assert(
      fc.property(money, (given) => {
        const sent = toStripe(given);
        if (sent === null) return;
        expect(fromStripe(sent.amount, sent.currency)).toEqual(given);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is never rounded on its way to us: what comes back goes out the same', () => {
    fc.assert(
      fc.property(money, ({ amount, currency }) => {
        const read = fromStripe(amount, currency.toLowerCase());
        const sent = read && toStripe(read);
        if (sent === null) return;
        expect(sent).toEqual({ amount, currency: currency.toLowerCase() });
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    [10_950, 'isk'],
    [1, 'ugx'],
    [1, 'zzz'],
  ])('%i %s cannot be expressed here', (amount, currency) => {
    expect(fromStripe(amount, currency)).toBeNull();
  });
});
