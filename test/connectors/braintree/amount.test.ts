import { expect, it } from '@jest/globals';
import { amountToWire, moneyFromWire } from '../../../src/connectors/braintree/amount.ts';
import { readAmount } from './payments.ts';
import { decimalsOf } from './world.ts';

it.each('BIF CLP DJF GNF JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '))(
  '%s has no decimals',
  (currency) => {
    const money = { amount: 1299, currency };
    expect(decimalsOf(currency)).toBe(0);
    expect(amountToWire(money)).toBe('1299');
    expect(readAmount('1299', currency)).toBe(1299);
    expect(moneyFromWire({ value: '1299', currencyCode: currency })).toEqual(money);
  },
);

it('LAK has no decimals at Braintree, and two here', () => {
  expect(amountToWire({ amount: 129_900, currency: 'LAK' })).toBe('1299');
  expect(moneyFromWire({ value: '1299', currencyCode: 'LAK' })).toEqual({ amount: 129_900, currency: 'LAK' });
});

it.each(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'])('%s is not sent, with any amount', (currency) => {
  expect(amountToWire({ amount: 1234, currency })).toBeNull();
  expect(amountToWire({ amount: 1230, currency })).toBeNull();
});
