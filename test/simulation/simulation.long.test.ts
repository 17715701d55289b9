import { describe, expect, it } from '@jest/globals';
import { FAILPOINTS, TAKEN_ON, type Aim } from './aims.ts';
import { seldom } from './bugs.ts';
import { FAULTS } from './faults.ts';
import { describeHistory, runHistory } from './history.ts';
import { openLane } from './lane.ts';
import { planFor } from './plan.ts';
import { describeRealPlaces } from './real-places.ts';
import { describeSums } from './report.ts';
import { run } from './run.ts';
import { noSlices, withSlice } from './slices.ts';
import type { Spoil } from './spoil.ts';
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

/** A provider accepts the operation and decides later, while several processes look after it. */
const acceptedFirst = (of: Aim['verb']): Aim => TAKEN_ON.find(({ verb }) => verb === of) as Aim;

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
  it.each([
    ['stoodStill', planFor(7, 541, acceptedFirst('void')), ['events: unknown twice']],
    ['tookOn', planFor(7, 437, acceptedFirst('capture')), ['events: unknown twice']],
  ] as const)(
    'that revealed a mistake succeed today, and fail with the mistake: %s',
    async (mistake, plan, shown) => {
      const found = async (spoil?: Spoil): Promise<readonly string[]> => {
        const lane = await openLane();
        const { violations } = await runHistory(lane, plan, spoil ? lane.apps.map(spoil) : lane.apps);
        await lane.close();
        // The message without the ids that follow.
        return violations.map(({ kind, message }) => `${kind}: ${message.split(/:| [0-9a-f]{8}-/)[0] ?? ''}`);
      };

      expect(await found()).toEqual([]);
      expect(await found(seldom[mistake].spoil())).toEqual(shown);
    },
  );

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
