import { describe, expect, it } from '@jest/globals';
import { FAILPOINTS } from './aims.ts';
import { FAULTS } from './faults.ts';
import { describeHistory } from './history.ts';
import type { Plan } from './plan.ts';
import { describeRealPlaces } from './real-places.ts';
import { describeSums } from './report.ts';
import { run } from './run.ts';
import { noSlices, withSlice } from './slices.ts';
import { addTally, type Tally } from './tally.ts';

const SEED = 1;
const FOR_MS = 60_000;
const AT_LEAST = 1_000;

/** The range of histories in which those are looked for that aim at a place without a death so far. */
const SLICE = 1_000;

/** The end of the last range. */
const AT_MOST = 20 * SLICE;

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

/**
 * Plays until everything is covered. When only places are missing, only histories that aim at them are played. A violation
 * ends the run early.
 */
async function playUntilAllIsMet() {
  const first = await run({ seed: SEED, from: 0, until: Infinity, forMs: FOR_MS, atLeast: AT_LEAST });
  const report = withSlice(noSlices(SEED), first);
  const failures = [...first.failures];
  const tally: Tally = new Map(report.tally);
  let { next } = first;
  while (failures.length === 0 && next < AT_MOST && notMet(tally).length > 0) {
    const missing = notMet(tally);
    // Any history may bring a fault.
    const isFaultMissing = missing.some((name) => !name.startsWith('at '));
    const wanted = ({ weather }: Plan): boolean => isFaultMissing || missing.includes(weather.crashAt ?? '');
    const slice = await run({ seed: SEED, from: next, until: next + SLICE, wanted });
    ({ next } = slice);
    addTally(tally, slice.tally);
    failures.push(...slice.failures);
  }
  return { report, failures, missing: notMet(tally) };
}

describe('the histories of a seed', () => {
  it(
    'move no money wrongly, lose nothing and leave nothing unexplained',
    async () => {
      const { report, failures, missing } = await playUntilAllIsMet();

      process.stdout.write(`\n${describeSums(report)}\n`);
      expect(failures.map(describeHistory)).toEqual([]);
      expect(report.histories).toBeGreaterThanOrEqual(AT_LEAST);
      expect(missing).toEqual([]);
    },
    20 * FOR_MS,
  );
});

describeRealPlaces(15);
