import { describe, expect, it } from '@jest/globals';
import { moved, type Placement } from '../../src/modules/three-ds/scenarios/order.ts';

describe('moved', () => {
  const ids = ['a', 'b', 'c', 'd'];
  it.each<readonly [string, Placement, string]>([
    ['a', { side: 'before', id: 'b' }, 'abcd'],
    ['a', { side: 'after', id: 'b' }, 'bacd'],
    ['a', { side: 'after', id: 'd' }, 'bcda'],
    ['d', { side: 'before', id: 'a' }, 'dabc'],
    ['c', { side: 'after', id: 'a' }, 'acbd'],
    ['b', { side: 'before', id: 'd' }, 'acbd'],
  ])('puts %s %j', (id, placement, expected) => {
    expect(moved(ids, id, placement).join('')).toBe(expected);
    expect(moved(moved(ids, id, placement), id, placement).join('')).toBe(expected);
  });
});
