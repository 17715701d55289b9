import { describe, expect, test } from '@jest/globals';
import { holdsCardNumber } from '../../src/kernel/account-numbers/card-number.ts';
import {
  holdsCardNumberInData,
  holdsLoneCardNumber,
} from '../../src/kernel/account-numbers/lone-card-number.ts';

/** Test numbers of 15, 16 and 19 digits, as providers publish them. */
const NUMBERS = [
  '4111111111111111',
  '5555555555554444',
  '2223003122003222',
  '378282246310005',
  '3530111333300000',
  '6011111111111117',
  '6200000000000005',
  '6759649826438453',
  '2200000000000004',
  '4000000000000000006',
  '6205500000000000004',
];

const AMEX = /^(\d{4})(\d{6})(\d{5})$/;

test.each(NUMBERS)('finds %s in an identifier, in each grouping of a card', (number) => {
  const grouped = (separator: string): string =>
    AMEX.test(number)
      ? number.replace(AMEX, `$1${separator}$2${separator}$3`)
      : number.replace(/(\d{4})(?=\d)/g, `$1${separator}`);

  for (const text of [
    number,
    ...['-', ' ', '.', '\u00a0', '\u200b', '\u2013'].map(grouped),
    ...['-', ' ', '.'].map((separator) => Array.from(number).join(separator)),
    `card ${number} ok`,
    `12 ${grouped(' ')} 12 2040`,
    `pan=${grouped('-')}&x=1`,
    `card:${number}/12/40/123`,
    `{"sub":"${number}"}`,
    `(${number}).`,
    `1111 ${grouped(' ')} 123`,
  ])
    expect([text, holdsLoneCardNumber(text)]).toEqual([text, true]);
});

test.each([
  ['an order number with 13 digits', '5000000007919'],
  ['a prefix and a time', 'order-17-1764288000123'],
  ['a prefix and 16 digits', 'order-4242424242424242'],
  ['a prefix without a separator', 'A4242424242424242'],
  ['a suffix', '4242424242424242-2'],
  ['a suffix behind an underscore', '4242424242424242_retry'],
  ['two separators', '4242-4242 4242-4242'],
  ['groups of another length', '42424242 42424242'],
  ['a group too many', '17-4242-4242-4242-4242'],
  ['a wrong check digit', '4242424242424241'],
  ['a prefix without a scheme', '9000100111111117'],
  ['14 digits', '30569309025904'],
  ['17 digits', '62000000000000003'],
  ['20 digits', '41111111111111111111'],
  ['a score', '0.4111111111111111'],
  ['letters of another script', '日4242424242424242'],
  ['no digit', 'order'],
  ['an empty text', ''],
])('takes %s for no card number: %s', (_what, identifier) => {
  expect(holdsLoneCardNumber(identifier)).toBe(false);
});

describe('a text of free JSON', () => {
  test.each([
    ['an order number is an identifier', '5000000007919', false],
    ['a lone number', '4242424242424242', true],
    ['a lone number with space around it', ' 4242-4242-4242-4242\n', true],
    ['13 digits in a sentence', 'paid with 5000000007919', true],
    ['a number with a suffix in a sentence', 'paid with 4242424242424242-2', true],
  ])('%s: %j', (_what, text, expected) => {
    expect(holdsCardNumberInData(text)).toBe(expected);
  });
});

describe('20 000 order numbers of a make', () => {
  const COUNT = 20_000;
  const MOMENT = Date.UTC(2026, 10, 28);
  /** A generator of 32 bits (mulberry32). The same seed gives the same numbers. */
  const hexadecimal = (seed: number): string => {
    let state = seed * 0x6d2b79f5;
    const word = (): string => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0).toString(16).padStart(8, '0');
    };
    return word() + word() + word() + word();
  };
  const dayOf = (index: number): string =>
    new Date(MOMENT + index * 3_600_000).toISOString().slice(0, 10).replaceAll('-', '');
  const counter = (index: number, length: number): string => String(index).padStart(length, '0');
  const uuidOf = (digits: string): string => digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

  test.each([
    ['counters of 13 digits', (index: number) => [String(5_000_000_000_000 + index * 7919)]],
    ['milliseconds', (index: number) => [String(MOMENT + index * 61_007)]],
    [
      'a date and a counter',
      (index: number) =>
        [4, 6, 8].flatMap((length) => [
          `${dayOf(index)}${counter(index, length)}`,
          `${dayOf(index)}-${counter(index, length)}`,
        ]),
    ],
    [
      'the digits of a UUID',
      (index: number) => {
        const digits = hexadecimal(index);
        return [digits, uuidOf(digits), String(BigInt(`0x${digits}`))];
      },
    ],
    [
      'a prefix and a time',
      (index: number) =>
        ['order', 'shop_4', 'PL'].flatMap((prefix) => [
          `${prefix}-${index}-${MOMENT + index * 61_007}`,
          `${prefix}${(MOMENT + index * 61_007) * 1000}`,
        ]),
    ],
  ] as const)('%s are never taken for card numbers', (_make, numbersOf) => {
    const numbers = Array.from({ length: COUNT }, (_, index) => numbersOf(index)).flat();

    expect(numbers.filter(holdsLoneCardNumber)).toEqual([]);
    expect(numbers.filter(holdsCardNumberInData)).toEqual([]);
  });

  test('would be refused in part by the rule for free texts', () => {
    const numbers = Array.from({ length: COUNT }, (_, index) => String(5_000_000_000_000 + index * 7919));

    expect(numbers.filter(holdsCardNumber).length).toBeGreaterThan(COUNT * 0.08);
  });
});
