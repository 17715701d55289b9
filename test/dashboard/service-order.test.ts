import { describe, expect, it } from '@jest/globals';
import { inOrder, movesTo } from '../../src/dashboard/pages/services/order.ts';
import { stepsTo } from '../../src/dashboard/pages/three-ds/steps.ts';

const at = (...positions: readonly number[]) =>
  positions.map((position, index) => ({ id: 'abcdef'[index] ?? '', position }));

describe('the order of payment services', () => {
  it('is by position, then by id', () => {
    const services = [...at(2, 1, 2)].reverse();

    expect(inOrder(services).map(({ id }) => id)).toEqual(['b', 'a', 'c']);
  });

  it('swaps the positions of the chosen services alone', () => {
    expect(movesTo(at(3, 5, 8, 9), ['d', 'a'])).toEqual([
      { id: 'd', position: 3 },
      { id: 'a', position: 9 },
    ]);
  });

  it('parts equal positions', () => {
    expect(movesTo(at(1, 1, 1), ['a', 'c', 'b'])).toEqual([
      { id: 'c', position: 2 },
      { id: 'b', position: 3 },
    ]);
  });

  it('changes nothing for the present order', () => {
    expect(movesTo(at(1, 2, 4), ['a', 'b', 'c'])).toEqual([]);
  });
});

describe('the steps to another order', () => {
  it.each([
    { now: 'abc', wished: 'abc', steps: [] },
    { now: 'abc', wished: 'cab', steps: [{ id: 'c', before: 'a' }] },
    {
      now: 'abc',
      wished: 'bca',
      steps: [
        { id: 'b', before: 'a' },
        { id: 'c', before: 'a' },
      ],
    },
  ])('lead from $now to $wished', ({ now, wished, steps }) => {
    expect(stepsTo(now.split(''), wished.split(''))).toEqual(steps);
  });
});
