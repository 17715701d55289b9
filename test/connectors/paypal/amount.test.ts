import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { amountToWire, moneyFromWire } from '../../../src/connectors/paypal/amount.ts';
import { paypalDefinitions } from '../../../src/connectors/paypal/definitions.ts';
import { CURRENCIES } from '../../../src/kernel/currency.ts';
import { AMOUNT_MAX } from '../../../src/kernel/money.ts';
import { readAmount } from './world.ts';

const ours = paypalDefinitions[0]?.supportedCurrencies ?? [];

const money = (currencies: readonly string[]) =>
  fc.record({
    amount: fc.integer({ min: 1, max: AMOUNT_MAX }),
    currency: fc.constantFrom(...currencies),
  });

describe('an amount at PayPal', () => {
  it.each<readonly [number, string, string | null]>([
    [1099, 'USD', '10.99'],
    [5, 'EUR', '0.05'],
    [1, 'JPY', '1'],
    [1099, 'JPY', '1099'],
    [1000, 'HUF', '10'],
    [1050, 'HUF', null],
    [100, 'TWD', '1'],
    [1, 'TWD', null],
    [1234, 'TND', '1.234'],
    [0, 'USD', null],
    [99_999_999, 'USD', '999999.99'],
    [1099, 'ZZZ', null],
  ])('%i %s is %j', (amount, currency, value) => {
    expect(amountToWire({ amount, currency })).toEqual(
      value === null ? null : { currency_code: currency, value },
    );
  });

  it('is the same again on its way back, in every currency', () => {
    fc.assert(
      fc.property(money([...CURRENCIES]), (given) => {
        const sent = amountToWire(given);
        if (sent !== null) expect(moneyFromWire(sent)).toEqual(given);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is in the decimals that PayPal reads, in every currency of PayPal', () => {
    fc.assert(
      fc.property(money(ours), (given) => {
        const sent = amountToWire(given);
        if (sent === null) return;
        const { minor } = readAmount(sent, '');
        const isWhole = given.currency === 'HUF' || given.currency === 'TWD';
        expect(isWhole ? minor * 100 : minor).toBe(given.amount);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['USD', '10.999'],
    ['USD', '-1.00'],
    ['USD', '1e3'],
    ['USD', ''],
    ['HUF', '10.5'],
    ['ZZZ', '1.00'],
  ])('%s %j cannot be expressed here', (currency_code, value) => {
    expect(moneyFromWire({ currency_code, value })).toBeNull();
  });
});
