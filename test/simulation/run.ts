import type { App } from '../../src/app.ts';
import { digestOf, runHistory, type History } from './history.ts';
import { openLane, type Constraints, type Lane } from './lane.ts';
import { makePlan } from './plan.ts';
import type { Spoil } from './spoil.ts';
import { addTally, type Tally } from './tally.ts';

export type RunSettings = {
  readonly seed: number;
  /** Numbers of the histories: the first one, and the one after the last. */
  readonly from: number;
  readonly until: number;
  /** Begins no further history after so long, when there were enough. */
  readonly forMs?: number;
  readonly atLeast?: number;
  /** So many histories at a time, each in a database of its own. */
  readonly lanes?: number;
  readonly constraints?: Constraints;
  /** A mistake to be caught. */
  readonly spoil?: Spoil;
  /** Whether to end with this history. The first one with a violation, when left out. */
  readonly enough?: (history: History) => boolean;
  readonly onHistory?: (history: History) => void;
};

export type Run = {
  readonly seed: number;
  readonly from: number;
  /** Every history before this one was played. */
  readonly next: number;
  readonly tally: Tally;
  readonly failures: readonly History[];
  /** Of all histories, whatever the order in which they were played. */
  readonly digest: bigint;
  readonly durationMs: number;
};

/** One process keeps two processors busy: while a lane waits for Postgres, others go on. */
const LANES = 4;

/** A fresh database keeps tables small, however long a run is; but each connection has to plan every statement anew. */
const LANE_HISTORIES = 500;

/** Plays histories one after another in each of some lanes. */
export async function run(settings: RunSettings): Promise<Run> {
  const {
    seed,
    from,
    until,
    forMs = Infinity,
    atLeast = 0,
    lanes = LANES,
    enough = isSpoilt,
    onHistory,
    constraints,
    spoil,
  } = settings;
  const startedAt = performance.now();
  const tally: Tally = new Map();
  const failures: History[] = [];
  let digest = 0n;
  let next = from;
  let ended = false;
  const timeIsUp = (): boolean => performance.now() - startedAt > forMs && next - from >= atLeast;
  const takeIndex = (): number | null => (ended || next >= until || timeIsUp() ? null : next++);

  const work = async (): Promise<void> => {
    let lane: Lane | null = null;
    let apps: readonly App[] = [];
    let played = 0;
    for (let index = takeIndex(); index !== null; index = takeIndex()) {
      if (lane === null) {
        lane = await openLane(constraints);
        apps = spoil ? lane.apps.map(spoil) : lane.apps;
      }
      const history = await runHistory(lane, makePlan(seed, index), apps);
      addTally(tally, history.tally);
      digest = addDigest(digest, history);
      onHistory?.(history);
      if (isSpoilt(history)) failures.push(history);
      ended ||= enough(history);
      played += 1;
      if (played % LANE_HISTORIES === 0 || isSpoilt(history)) {
        await lane.close();
        lane = null;
      }
    }
    await lane?.close();
  };
  await Promise.all(Array.from({ length: lanes }, work));
  // Whichever lane was faster: every history before the one that ended the run has been played.
  failures.sort((a, b) => a.plan.index - b.plan.index);
  return { seed, from, next, tally, failures, digest, durationMs: performance.now() - startedAt };
}

const isSpoilt = ({ violations }: History): boolean => violations.length > 0;

/** A sum, so that lanes may play histories in any order. */
const addDigest = (sum: bigint, history: History): bigint =>
  BigInt.asUintN(64, sum + BigInt(`0x${digestOf(history)}`));
