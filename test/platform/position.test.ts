import { expect, it } from '@jest/globals';
import { reaches, readPosition } from '../../src/platform/connections/position.ts';

const read = (text: string) => readPosition(text) ?? { timeline: -1, bytes: -1n };

it('reads positions', () => {
  expect(read('0')).toEqual({ timeline: 0, bytes: 0n });
  expect(read('1-0/3000148')).toEqual({ timeline: 1, bytes: 50_331_976n });
  expect(read('12-1A/3000148')).toEqual({ timeline: 12, bytes: 111_719_481_672n });
  expect(read('2-FFFFFFFF/ffffffff')).toEqual({ timeline: 2, bytes: 2n ** 64n - 1n });
});

it.each(['', '1', '0/0', '1-', '1-0', '-0/0', '1-100000000/0', '1-0/G', '1-0/0 ', '1-0/0/0'])(
  'refuses %j',
  (text) => {
    expect(readPosition(text)).toBeNull();
  },
);

it('a server of an earlier timeline never has a position, however far its log goes', () => {
  expect(reaches(read('2-0/5'), read('2-0/5'))).toBe(true);
  expect(reaches(read('3-0/5'), read('2-0/5'))).toBe(true);
  expect(reaches(read('2-0/4'), read('2-0/5'))).toBe(false);
  expect(reaches(read('1-0/FFFF'), read('2-0/5'))).toBe(false);
  expect(reaches(read('1-0/1'), read('0'))).toBe(true);
});
