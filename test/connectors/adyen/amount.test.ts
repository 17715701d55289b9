import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { amountToWire, moneyFromWire, unitsFromText } from '../../../src/connectors/adyen/amount.ts';
import { CURRENCIES, decimalsOf } from '../../../src/kernel/currency.ts';
import { AMOUNT_MAX } from '../../../src/kernel/money.ts';

const money = fc.record({
  amount: fc.integer({ min: 0, max: AMOUNT_MAX }),
  currency: fc.constantFrom(...CURRENCIES),
});

describe("Adyen's amount", () => {
  it.each([
    ['EUR', 1299, 1299],
    ['JPY', 1299, 1299],
    ['KWD', 1299, 1299],
    ['UGX', 1299, 1299],
    ['CLP', 1299, 129_900],
    ['ISK', 1299, 129_900],
    ['IDR', 129_900, 1299],
    ['CVE', 129_900, 1299],
  ])('of %s is exact both ways', (currency, amount, value) => {
    expect(amountToWire({ amount, currency })).toEqual({ value, currency });
    expect(moneyFromWire({ value, currency })).toEqual({ amount, currency });
  });

  it.each([
    ['IDR', 1299],
    ['CVE', 1],
    ['ZZZ', 1299],
  ])('of %s is refused when Adyen cannot express it', (currency, amount) => {
    expect(amountToWire({ amount, currency })).toBeNull();
  });

  it.each(['CLP', 'ISK'])('of %s is refused when we cannot express it', (currency) => {
    expect(moneyFromWire({ value: 129_950, currency })).toBeNull();
  });

  it('comes back as the same money in every currency, or is never sent', () => {
    fc.assert(
      fc.property(money, (given) => {
        const sent = amountToWire(given);
        if (sent !== null) expect(moneyFromWire(sent)).toEqual(given);
        else expect(['IDR', 'CVE']).toContain(given.currency);
      }),
    );
  });

  it('goes out as it came in, in every currency, or is not understood', () => {
    fc.assert(
      fc.property(money, ({ amount: value, currency }) => {
        const understood = moneyFromWire({ value, currency });
        if (understood !== null) expect(amountToWire(understood)).toEqual({ value, currency });
        else expect(['CLP', 'ISK']).toContain(currency);
      }),
    );
  });

  it('of a report is exact in every currency', () => {
    fc.assert(
      fc.property(money, ({ amount, currency }) => {
        const decimals = { CLP: 2, ISK: 2, IDR: 0, CVE: 0 }[currency] ?? decimalsOf(currency) ?? 0;
        const digits = String(amount).padStart(decimals + 1, '0');
        const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
        expect(unitsFromText(text, currency)).toBe(
          moneyFromWire({ value: amount, currency })?.amount ?? null,
        );
      }),
    );
  });
});
