import { describe, expect, it } from '@jest/globals';
import { ONLY_NAMING, REAL_PLACES } from './harness.ts';
import { describeHistory } from './history.ts';
import { run } from './run.ts';

/** Defines a test that plays so many histories of seed 1 with the double of each real provider. */
export function describeRealPlaces(histories: number): void {
  describe('the histories of a seed', () => {
    it.each(REAL_PLACES)(
      'hold at the double of a real provider: %s',
      async (kind) => {
        const { failures, tally } = await run({ seed: 1, from: 0, until: histories, kind });

        expect(failures.map(describeHistory)).toEqual([]);
        expect(tally.get('histories by provider')?.get(kind)).toBe(histories);
        expect(tally.get('asked of real providers')?.get(`${kind} authorize`)).toBeGreaterThan(0);
        expect(tally.get('webhooks of real providers')?.get('genuine: taken')).toBeGreaterThan(0);
        expect((tally.get('rounds')?.get('look-ups') ?? 0) > 0).toBe(ONLY_NAMING.has(kind));
      },
      120_000,
    );

    it('hold at the double that the seed draws of all real providers', async () => {
      const { failures, tally } = await run({ seed: 2, from: 0, until: histories, kind: 'all' });

      expect(failures.map(describeHistory)).toEqual([]);
      const played = [...(tally.get('histories by provider')?.keys() ?? [])];
      expect(played.length).toBeGreaterThan(1);
      expect(REAL_PLACES).toEqual(expect.arrayContaining(played));
    }, 120_000);
  });
}
