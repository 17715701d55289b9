import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { apportion } from '../../src/kernel/money.ts';

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, each) => sum + each, 0);

describe('parts of an amount', () => {
  it.each([
    [100, [90, 10], [90, 10]],
    [33, [90, 10], [30, 3]],
    [35, [90, 10], [32, 3]],
    [1, [50, 50], [1, 0]],
    [2, [1, 1, 1], [1, 1, 0]],
    [0, [90, 10], [0, 0]],
    [0, [0, 0], [0, 0]],
    [5, [0, 7], [0, 5]],
    [99_999_998, [99_999_999, 99_999_999], [49_999_999, 49_999_999]],
    [99_999_999, [99_999_997, 1, 1], [99_999_997, 1, 1]],
  ])('%i by the weights %j', (amount, weights, parts) => {
    expect(apportion(amount, weights)).toEqual(parts);
  });

  it.each([
    [33_300, [90_100, 9_900], 100, [30_000, 3_300]],
    [3_330, [9_000, 1_000], 10, [3_000, 330]],
    [100, [100, 100], 100, [100, 0]],
  ])('%i by the weights %j are multiples of %i', (amount, weights, unit, parts) => {
    expect(apportion(amount, weights, unit)).toEqual(parts);
  });

  it.each([
    [50, [100, 100]],
    [100, [150, 100]],
  ])('%i by the weights %j do not exist in units of 100', (amount, weights) => {
    expect(() => apportion(amount, weights, 100)).toThrow(RangeError);
  });

  it('do not exist above the sum of the weights', () => {
    expect(() => apportion(101, [90, 10])).toThrow(RangeError);
  });

  it('make the amount, and each is within its weight and less than a unit from its quota', () => {
    const weight = fc.integer({ min: 0, max: 99_999_999 });
    fc.assert(
      fc.property(fc.array(weight, { minLength: 1, maxLength: 20 }), fc.nat(), (weights, seed) => {
        const sum = sumOf(weights);
        const amount = seed % (sum + 1);
        const parts = apportion(amount, weights);
        expect(sumOf(parts)).toBe(amount);
        for (const [place, part] of parts.entries()) {
          const of = weights[place] ?? 0;
          expect(part).toBeGreaterThanOrEqual(0);
          expect(part).toBeLessThanOrEqual(of);
          if (sum === 0) continue;
          const distance = BigInt(part) * BigInt(sum) - BigInt(amount) * BigInt(of);
          expect(distance < BigInt(sum) && -distance < BigInt(sum)).toBe(true);
        }
      }),
    );
  });
});
