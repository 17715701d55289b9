import { describe, expect, it } from '@jest/globals';
import { inOrder, moved, movesTo } from '../../src/dashboard/pages/services/order.ts';

const at = (...positions: readonly number[]) =>
  positions.map((position, index) => ({ id: 'abcdef'[index] ?? '', position }));

describe('the order of payment services', () => {
  it('is by position, then by id', () => {
    const services = [...at(2, 1, 2)].reverse();

    expect(inOrder(services).map(({ id }) => id)).toEqual(['b', 'a', 'c']);
  });

  it.each([
    { from: 0, to: 2, then: 'bca' },
    { from: 2, to: 0, then: 'cab' },
    { from: 1, to: 9, then: 'acb' },
    { from: 1, to: -3, then: 'bac' },
  ])('moves $from to $to', ({ from, to, then }) => {
    expect(moved(['a', 'b', 'c'], from, to).join('')).toBe(then);
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
