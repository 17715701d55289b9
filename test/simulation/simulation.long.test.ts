import { describe, expect, it } from '@jest/globals';
import { FAILPOINTS } from './aims.ts';
import { FAULTS } from './faults.ts';
import { describeHistory } from './history.ts';
import { describeRealPlaces } from './real-places.ts';
import { describeSums } from './report.ts';
import { run } from './run.ts';
import { noSlices, withSlice } from './slices.ts';
import type { Tally } from './tally.ts';

const SEED = 1;
const FOR_MS = 60_000;
const AT_LEAST = 1_000;

/**
 * The number of histories in a slice. A slow machine plays further slices until everything has been covered, up to a
 * limit.
 */
const SLICE = 250;
const AT_MOST = 5 * AT_LEAST;

/** Plays histories. Returns the lines of each, and the digest of all. */
async function play(from: number, until: number) {
  const played = new Map<number, string>();
  const { digest } = await run({
    seed: SEED,
    from,
    until,
    onHistory: (history) => void played.set(history.plan.index, describeHistory(history)),
  });
  return { digest, histories: [...played].sort(([a], [b]) => a - b).map(([, text]) => text) };
}

describe('a seed', () => {
  it('gives the same histories in another database, line by line', async () => {
    expect(await play(0, 60)).toEqual(await play(0, 60));
  }, 120_000);
});

/** Lists the failpoints without a death, and the faults that no provider, or not the anti-fraud service, has had. */
function notMet(tally: Tally): readonly string[] {
  const isMissing = (group: string) => (name: string) => !tally.get(group)?.has(name);
  return [
    ...FAILPOINTS.map((name) => `at ${name}`).filter(isMissing('crashes')),
    ...FAULTS.filter(isMissing('provider faults')),
    ...FAULTS.filter(isMissing('third party faults')),
  ];
}

/** Plays until everything is covered. A violation ends the run early. */
async function playUntilAllIsMet() {
  let slice = await run({ seed: SEED, from: 0, until: Infinity, forMs: FOR_MS, atLeast: AT_LEAST });
  let report = withSlice(noSlices(SEED), slice);
  while (slice.failures.length === 0 && report.histories < AT_MOST && notMet(report.tally).length > 0) {
    slice = await run({ seed: SEED, from: report.histories, until: report.histories + SLICE });
    report = withSlice(report, slice);
  }
  return { report, failures: slice.failures };
}

describe('the histories of a seed', () => {
  it(
    'move no money wrongly, lose nothing and leave nothing unexplained',
    async () => {
      const { report, failures } = await playUntilAllIsMet();

      process.stdout.write(`\n${describeSums(report)}\n`);
      expect(failures.map(describeHistory)).toEqual([]);
      expect(report.histories).toBeGreaterThanOrEqual(AT_LEAST);
      expect(notMet(report.tally)).toEqual([]);
    },
    20 * FOR_MS,
  );
});

describeRealPlaces(15);
