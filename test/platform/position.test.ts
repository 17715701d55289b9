import { expect, it } from '@jest/globals';
import { readPosition } from '../../src/platform/connections/position.ts';

it('reads the positions of Postgres in their order', () => {
  const texts = ['0/0', '0/3000148', '0/FFFFFFFF', '1/0', '1A/3000148', 'FFFFFFFF/ffffffff'];
  const positions = texts.map((text) => readPosition(text) ?? -1n);

  expect(positions).toEqual([
    0n,
    50_331_976n,
    4_294_967_295n,
    4_294_967_296n,
    111_719_481_672n,
    2n ** 64n - 1n,
  ]);
});

it.each(['', '0', '0/', '/0', '0/0 ', '100000000/0', '0/G', '-1/0', '0/0/0'])('refuses %j', (text) => {
  expect(readPosition(text)).toBeNull();
});
