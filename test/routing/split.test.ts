import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compileVersion } from '../../src/modules/routing/model/compile.ts';
import { shareAt, DRAWS } from '../../src/modules/routing/model/draw.ts';
import { decide } from '../../src/modules/routing/index.ts';
import { anyFacts, anyVersion, PAYMENT, versionOf } from './arbitrary.ts';
import { idOf } from './ids.ts';

const splitOf = (...weights: readonly number[]) => ({
  kind: 'split' as const,
  shares: weights.map((weight, index) => ({
    ...{ weight, paymentServiceIds: [String(index + 1)], onlyThese: false },
  })),
});

/** Returns the part of the payments in each share, in percent. */
function partsOf(weights: readonly number[], payments: number): readonly number[] {
  const compiled = compileVersion(versionOf({ action: splitOf(...weights) }));
  const counts = weights.map(() => 0);
  for (let nth = 0; nth < payments; nth += 1) {
    const share = decide(compiled, { ...PAYMENT, paymentId: idOf(nth) }).draw?.share ?? 0;
    counts[share - 1] = (counts[share - 1] ?? 0) + 1;
  }
  return counts.map((count) => (100 * count) / payments);
}

it.each([[[50, 50]], [[95, 5]], [[1, 99]], [[70, 20, 10]], [[3333, 3333, 3334]]])(
  'divides 10,000 payments by the weights %p',
  (weights) => {
    const total = weights.reduce((sum, weight) => sum + weight, 0);

    for (const [index, part] of partsOf(weights, 10_000).entries()) {
      const wanted = (weights[index] ?? 0) / total;
      // Four standard deviations of independent draws.
      const tolerance = 400 * Math.sqrt((wanted * (1 - wanted)) / 10_000);
      expect(Math.abs(part - 100 * wanted)).toBeLessThan(tolerance);
    }
  },
);

it('gives each draw to exactly one share, and each share exactly its part of the draws', () => {
  const weights = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(weights, fc.integer({ min: 0, max: DRAWS - 1 }), (given, draw) => {
      const total = given.reduce((sum, weight) => sum + weight, 0);
      const index = shareAt(given, draw);
      const before = given.slice(0, index).reduce((sum, weight) => sum + weight, 0);

      expect(index).toBeGreaterThanOrEqual(0);
      expect(draw / DRAWS).toBeGreaterThanOrEqual(before / total - 1e-12);
      expect(draw / DRAWS).toBeLessThan((before + (given[index] ?? 0)) / total + 1e-12);
    }),
  );
});

it.each([
  [[1, 1], 499_999, 0],
  [[1, 1], 500_000, 1],
  [[1, 99], 9_999, 0],
  [[1, 99], 10_000, 1],
  [[1, 1, 1], 333_333, 0],
  [[1, 1, 1], 333_334, 1],
  [[1, 1], 0, 0],
  [[1, 1], 999_999, 1],
])('by the weights %p, the draw %i falls into share %i', (weights, draw, share) => {
  expect(shareAt(weights, draw)).toBe(share);
});

it('keeps a buyer in a share, whatever the payment', () => {
  fc.assert(
    fc.property(anyVersion, anyFacts, fc.uuid(), fc.uuid(), (version, facts, buyerId, paymentId) => {
      const compiled = compileVersion(version);
      const first = decide(compiled, { ...facts, buyerId });

      expect(decide(compiled, { ...facts, buyerId, paymentId })).toEqual(first);
    }),
  );
});

it('keeps the buyers of a share that grows', () => {
  const [before, after] = [versionOf({ action: splitOf(5, 95) }), versionOf({ action: splitOf(10, 90) })];

  for (let nth = 0; nth < 2000; nth += 1) {
    const facts = { ...PAYMENT, buyerId: idOf(nth) };
    const share = decide(compileVersion(before), facts).draw?.share;
    if (share === 1) expect(decide(compileVersion(after), facts).draw?.share).toBe(1);
  }
});

it('draws anew for another rule', () => {
  const named = (name: string) => compileVersion(versionOf({ name, action: splitOf(50, 50) }));
  const [one, other] = [named('One'), named('Other')];
  const both = Array.from({ length: 1000 }, (_, nth) => ({ ...PAYMENT, paymentId: idOf(nth) })).filter(
    (facts) => decide(one, facts).draw?.share === 1 && decide(other, facts).draw?.share === 1,
  );

  // Independent draws meet in a quarter of the payments.
  expect(both.length).toBeGreaterThan(180);
  expect(both.length).toBeLessThan(320);
});
