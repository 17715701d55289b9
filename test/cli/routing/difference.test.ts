import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { differenceOf, valuesDifference } from '../../../src/cli/routing/words/difference.ts';
import type { Json } from '../../../src/cli/routing/file.ts';
import { canonical, simple } from '../../../src/cli/routing/names.ts';
import { shownRule } from '../../../src/graph/resolvers/setup/routing-rules.ts';
import { anyVersion } from '../../routing/arbitrary.ts';

const only = (...paymentServices: readonly string[]): Json => ({
  order: { paymentServices, onlyThese: true },
});

const rule = (name: string, more: Json = {}): Json => ({ name, action: { positions: true }, ...more });

const [A, B, C, D] = ['A', 'B', 'C', 'D'].map((name) => rule(name)) as [Json, Json, Json, Json];

const GERMANY = rule('Germany', {
  conditions: [{ fact: { country: ['DE'] } }],
  action: {
    split: [
      { weight: 5, paymentServices: ['New'] },
      { weight: 95, paymentServices: ['Old', 'Older'] },
    ],
  },
});

describe('the difference of two lists of rules', () => {
  it.each<[what: string, before: readonly Json[], after: readonly Json[], words: readonly string[]]>([
    ['equal lists', [A, GERMANY], [A, GERMANY], []],
    [
      'members that say nothing',
      [
        rule('A', {
          conditions: [],
          threeDSecure: null,
          action: { order: { onlyThese: false, paymentServices: ['x'] } },
        }),
      ],
      [rule('A', { action: { order: { paymentServices: ['x'] } } })],
      [],
    ],
    [
      'a new rule',
      [A],
      [GERMANY, A],
      ['Rule "Germany" is new at position 1: if country is DE, split 5 to New and 95 to Old, then Older.'],
    ],
    ['a rule that is gone', [A, B], [B], ['Rule "A" is gone.']],
    ['a rule that moves up', [A, B, C, D], [D, A, B, C], ['Rule "D" moves from position 4 to 1.']],
    ['a rule that moves down', [A, B, C], [B, C, A], ['Rule "A" moves from position 1 to 3.']],
    [
      'conditions',
      [rule('A', { conditions: [{ fact: { amount: { currency: 'EUR', min: 100 } } }] })],
      [rule('A', { conditions: [{ not: true, fact: { isStored: true } }] })],
      [
        'Rule "A" loses the condition: amount is at least 1.00 EUR.',
        'Rule "A" gets the condition: not isStored is true.',
      ],
    ],
    [
      'amounts of currencies with other decimals',
      [],
      ['JPY', 'KWD', 'XXX'].map((currency, at) =>
        rule(currency, {
          conditions: [{ fact: { amount: { currency, min: 1234, max: at === 0 ? null : 5678 } } }],
        }),
      ),
      [
        'Rule "JPY" is new at position 1: if amount is at least 1234 JPY, keep the order of positions.',
        'Rule "KWD" is new at position 2: if amount is 1.234 to 5.678 KWD, keep the order of positions.',
        'Rule "XXX" is new at position 3: if amount is 1234 to 5678 XXX, keep the order of positions.',
      ],
    ],
    [
      'all ten shares of a split',
      [],
      [
        rule('Ten', {
          action: { split: 'abcdefghij'.split('').map((name) => ({ weight: 1, paymentServices: [name] })) },
        }),
      ],
      [
        'Rule "Ten" is new at position 1: always, split 1 to a, 1 to b, 1 to c, 1 to d, 1 to e, 1 to f, 1 to g, 1 to h, 1 to i and 1 to j.',
      ],
    ],
    [
      'another order of conditions',
      [rule('A', { conditions: [{ fact: { isStored: true } }, { fact: { stores: true } }] })],
      [rule('A', { conditions: [{ fact: { stores: true } }, { fact: { isStored: true } }] })],
      ['Rule "A" lists its conditions in another way.'],
    ],
    [
      'actions and wishes',
      [rule('A', { action: only('x', 'y') })],
      [rule('A', { action: { refuse: { code: 'not_here' } }, threeDSecure: 'ALWAYS' })],
      [
        'Rule "A" changes from: ask x, then y alone; to: refuse with not_here.',
        'Rule "A" changes threeDSecure from no wish to ALWAYS.',
      ],
    ],
    [
      'actions that compare services',
      [rule('A', { action: { bySuccess: { paymentServices: ['x', 'y'], lastHours: 72, keepShare: 5 } } })],
      [
        rule('A', { action: { bySuccess: { paymentServices: ['x', 'y'], minimumCases: 100 } } }),
        rule('B', { action: { bySuccess: { paymentServices: ['x', 'y'], keepShare: 0, onlyThese: true } } }),
        rule('C', {
          action: {
            byCost: {
              paymentServices: ['x', 'y', 'z'],
              table: [
                { paymentService: 'x', scheme: 'VISA', country: 'DE', percentage: '1.2' },
                { paymentService: 'y', percentage: '0', fixed: { amount: 8, currency: 'EUR' } },
              ],
            },
          },
        }),
      ],
      [
        'Rule "B" is new at position 2: always, ask the one with the most success of x and y alone (the last 72 hours, from 100 cases on, 0 % try the others).',
        'Rule "C" is new at position 3: always, ask the cheapest of x, y and z (without settlements: x 1.2 % for VISA in DE and y 0 % + 8 minor units of EUR).',
      ],
    ],
    [
      'facts and actions of a later version',
      [],
      [rule('A', { conditions: [{ fact: { attempt: { min: 2 } } }], action: { byWeather: {} } })],
      ['Rule "A" is new at position 1: if attempt is {"min":2}, {"byWeather":{}}.'],
    ],
  ])('says %s', (_, before, after, words) => {
    expect(differenceOf(before, after)).toEqual(words);
  });

  it('is empty for the same rules alone', () => {
    fc.assert(
      fc.property(anyVersion, anyVersion, (one, other) => {
        const [before, after] = [one.rules.map(shownRule), other.rules.map(shownRule)];
        expect(differenceOf(before, before.map(simple))).toEqual([]);
        expect(differenceOf(before, after).length === 0).toBe(canonical(before) === canonical(after));
      }),
    );
  });
});

it.each([
  [['DK', 'SE'], ['SE', 'DK'], []],
  [['DK', 'SE'], ['SE', 'FI'], ['The value set "Nordics" gets FI, and loses DK.']],
  [['411111-411111'], ['411111'], []],
  [['411111-411112'], ['411111'], ['The value set "Nordics" gets 411111, and loses 411111-411112.']],
])('the values %j become %j', (before, after, words) => {
  expect(valuesDifference({ name: 'Nordics' }, before, after)).toEqual(words);
});
