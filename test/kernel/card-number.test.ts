import { describe, expect, test } from '@jest/globals';
import { holdsCardNumber, isCardNumber, passesLuhn } from '../../src/kernel/account-numbers/card-number.ts';

/** Test numbers of schemes, as providers publish them. */
const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  Visa: ['4111111111111111', '4242424242424242', '4222222222222', '4000000000000000006'],
  Mastercard: ['5555555555554444', '5105105105105100', '2223003122003222', '2720992593319364'],
  'American Express': ['378282246310005', '371449635398431'],
  'Diners Club': ['30569309025904', '38520000023237', '36227206271667'],
  JCB: ['3530111333300000', '3566002020360505'],
  Discover: ['6011111111111117', '6445644564456445', '6555900000604105'],
  UnionPay: ['6200000000000005', '6205500000000000004', '8171998927611203'],
  Maestro: ['6759649826438453', '5018000000000009', '6304000000000000'],
  Mir: ['2200000000000004'],
};
const ALL = Object.entries(NUMBERS).flatMap(([scheme, numbers]) =>
  numbers.map((number) => [scheme, number] as const),
);

test.each(ALL)('finds a number of %s: %s', (_scheme, number) => {
  const between = (separator: string): string => Array.from(number).join(separator);

  expect(isCardNumber(number)).toBe(true);
  for (const text of [
    number,
    `card ${number} ok`,
    `card:${number}, please`,
    `pan${number}x`,
    `12 ${number} 34`,
    between(' '),
    between('.'),
    between('-'),
    between('\u00a0'),
    between(' - '),
  ])
    expect([text, holdsCardNumber(text)]).toEqual([text, true]);
});

test.each([
  'card 4111-1111-1111-1111 ok',
  '4111 1111 1111 1111',
  '4111.1111.1111.1111',
  '4111 1111 1111 1111 12/40',
  '7 4111-1111-1111-1111 987',
  '3782 822463 10005 12/40',
  '3056 930902 5904, 12/40',
  '41111111 11111111',
  '4111\t1111\n1111\u20131111',
  '4111\u200b1111\u200b1111\u200b1111',
  '4111   1111   1111   1111',
  '４１１１１１１１１１１１１１１１',
  '4111111111111111.50',
  '4111111111111111/12/40/123',
  'a4111111111111111',
  '+4111111111111111',
  'https://shop.example/?pan=4111111111111111&x=1',
])('finds the number in %j', (text) => {
  expect(holdsCardNumber(text)).toBe(true);
});

test.each([
  ['a wrong check digit', '4111111111111112'],
  ['a wrong check digit with spaces', '4111 1111 1111 1112'],
  ['a prefix without a scheme', '9000100111111117'],
  ['a prefix without a scheme', '1000000000000008'],
  ['too few digits', '411111111116'],
  ['too many digits', '41111111111111111111'],
  ['a length that the scheme lacks', '41111111111116'],
  ['digits in a longer run', '941111111111111117000'],
  ['a part of longer groups', '14111 1111 1111 1111'],
  ['a UUID', '41111111-1111-1111-8111-a11111111111'],
  ['a UUID of digits', '01900000-0000-7000-8000-000000000000'],
  ['a digest', 'a4111111111111111b9c5d2e41f0c3b2'],
  ['an object id', '4111111111111111abcdef01'],
  ['a phone number', '+4915123456786'],
  ['a phone number with spaces', '+49 151 2345 6786'],
  ['an article number', '4006381333931'],
  ['a moment in milliseconds', '1790000000000'],
  ['a coordinate', '51.5073509012345'],
  ['a score', '0.4111111111111111'],
  ['a date and a time', '2026-11-23T15:30:00.000Z'],
  ['an IBAN', 'DE89 3704 0044 0532 0130 00'],
  ['an amount', '1299 USD'],
  ['no digit', 'card'],
  ['an empty text', ''],
])('takes %s for no card number: %s', (_what, text) => {
  expect(holdsCardNumber(text)).toBe(false);
});

const withCheckDigit = (digits: string): string =>
  Array.from({ length: 10 }, (_, digit) => `${digits}${digit}`).find(passesLuhn) ?? '';
const numberOf = (prefix: string, length: number): string => withCheckDigit(prefix.padEnd(length - 1, '0'));

test.each([
  ['4', [4, 4, 4, 4]],
  ['62', [4, 4, 4, 4, 1]],
  ['62', [4, 4, 4, 4, 2]],
  ['62', [4, 4, 4, 4, 3]],
  ['34', [4, 6, 5]],
  ['36', [4, 6, 4]],
  ['42', [4, 4, 4, 1]],
  ['4', [8, 8]],
  ['62', [6, 13]],
] as const)(
  'finds a number that begins with %s and is printed as %j between other digits',
  (prefix, shape) => {
    const length = shape.reduce<number>((total, each) => total + each, 0);
    const printed = shape.map((each, at) => {
      const begin = shape.slice(0, at).reduce<number>((total, before) => total + before, 0);
      return numberOf(prefix, length).slice(begin, begin + each);
    });

    expect(holdsCardNumber(['12', ...printed, '12', '2040'].join(' '))).toBe(true);
    expect(holdsCardNumber(['12', ...printed.toReversed(), '12', '2040'].join(' '))).toBe(false);
  },
);

test('tells the 13 digits of an article from a card by the check digit of the article', () => {
  const passesArticle = (digits: string): boolean =>
    Array.from(digits, Number).reduce((sum, digit, at) => sum + digit * (at % 2 === 0 ? 1 : 3), 0) % 10 === 0;
  const cards = Array.from({ length: 200 }, (_, at) => withCheckDigit(String(400_638_133_000 + at)));

  expect(new Set(cards.map(passesArticle))).toEqual(new Set([true, false]));
  for (const card of cards) expect([card, isCardNumber(card)]).toEqual([card, !passesArticle(card)]);
});

test.each([
  ['411.1111111111111', false],
  ['4111.111111111111', true],
  ['+378282246310005', false],
  ['378282246310005', true],
  ['+4111 1111 1111 1111', true],
])('reads %s as a fraction, a phone number or a card', (text, expected) => {
  expect(holdsCardNumber(text)).toBe(expected);
});

describe('at the edges of the prefixes', () => {
  test.each([
    ['2220', 16, false],
    ['2221', 16, true],
    ['2720', 16, true],
    ['2721', 16, false],
    ['2205', 16, false],
    ['51', 16, true],
    ['55', 16, true],
    ['54', 15, false],
    ['33', 15, false],
    ['34', 15, true],
    ['35', 15, false],
    ['37', 16, false],
    ['306', 14, false],
    ['305', 14, true],
    ['3527', 16, false],
    ['3528', 16, true],
    ['3589', 16, true],
    ['3590', 16, false],
    ['643', 16, false],
    ['644', 16, true],
    ['61', 16, false],
    ['66', 16, false],
    ['68', 16, false],
    ['7', 16, false],
    ['80', 16, false],
    ['0', 16, false],
    ['4', 12, false],
    ['42', 13, true],
    ['4', 14, false],
    ['4', 15, false],
    ['4', 17, false],
    ['4', 20, false],
    ['50', 12, false],
    ['50', 20, false],
    ['62', 15, false],
    ['62', 20, false],
    ['60', 16, true],
    ['82', 16, true],
    ['934', 15, false],
    ['93528', 16, false],
    ['96011', 16, false],
    ['9305', 14, false],
  ])('%s with %i digits: %p', (prefix, length, expected) => {
    expect(isCardNumber(numberOf(prefix, length))).toBe(expected);
  });
});

test('refuses each number with another check digit', () => {
  for (const [, number] of ALL) {
    const last = Number(number.at(-1));
    for (let digit = 0; digit < 10; digit += 1)
      expect(isCardNumber(`${number.slice(0, -1)}${digit}`)).toBe(digit === last);
  }
});

test('reads a long text in a short time', () => {
  const text = '4111 '.repeat(6_000) + '4'.repeat(30_000);

  expect(holdsCardNumber(text)).toBe(false);
});
