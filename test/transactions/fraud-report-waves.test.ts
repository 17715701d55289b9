import { describe, expect, it } from '@jest/globals';
import type { DueReport } from '../../src/modules/transactions/fraud-reports/report-of.ts';
import { waveOf } from '../../src/modules/transactions/fraud-reports/wave.ts';

/** Returns reports that have only their payments, which are the letters. */
const of = (letters: string) => Array.from(letters, (id) => ({ transaction: { id } }) as DueReport);

const chosen = (rest: readonly DueReport[], failures: number) =>
  waveOf(rest, failures).map((due) => [due.transaction.id, rest.indexOf(due)]);

describe('the reports that are sent at once', () => {
  it.each<[string, number, readonly (readonly [string, number])[]]>([
    ['', 0, []],
    ['a', 0, [['a', 0]]],
    [
      'aabcb',
      0,
      [
        ['a', 0],
        ['b', 2],
        ['c', 3],
      ],
    ],
    ['aabcb', 1, [['a', 0]]],
    ['aabcb', 7, [['a', 0]]],
    [
      'aabcb',
      8,
      [
        ['a', 0],
        ['b', 2],
      ],
    ],
    [
      'aabcb',
      9,
      [
        ['a', 0],
        ['b', 2],
        ['c', 3],
      ],
    ],
    ['aaa', 8, [['a', 0]]],
  ])('of %s after %i failures are %j', (letters, failures, expected) => {
    expect(chosen(of(letters), failures)).toEqual(expected);
  });

  it.each([0, 22, 1_000])('are sixteen at most after %i failures', (failures) => {
    expect(waveOf(of('abcdefghijklmnopqrst'), failures)).toHaveLength(16);
  });
});
