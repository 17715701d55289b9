import type { App } from '../../src/app.ts';
import { digestOf, runHistory, type History } from './history.ts';
import { openLane, type Constraints, type Lane } from './lane.ts';
import { makePlan, type Plan } from './plan.ts';
import type { Kind } from './real/plan.ts';
import type { Spoil } from './spoil.ts';
import { addTally, type Tally } from './tally.ts';

export type RunSettings = {
  readonly seed: number;
  /** The number of the first history, and the number after the last. */
  readonly from: number;
  readonly until: number;
  /** After this time no further history starts, if enough have run. */
  readonly forMs?: number;
  readonly atLeast?: number;
  /** The number of parallel histories. Each has its own database. */
  readonly lanes?: number;
  readonly constraints?: Constraints;
  /** A seeded mistake. */
  readonly spoil?: Spoil;
  /** Plays only the histories with such a plan. By default all. */
  readonly wanted?: (plan: Plan) => boolean;
  /** The providers of the histories. By default one history of eight has a real one. */
  readonly kind?: Kind;
  /** Decides whether to end with this history. By default the first violation ends the run. */
  readonly enough?: (history: History) => boolean;
  readonly onHistory?: (history: History) => void;
};

export type Run = {
  readonly seed: number;
  readonly from: number;
  /** All wanted histories below this number have been played. */
  readonly next: number;
  readonly tally: Tally;
  readonly failures: readonly History[];
  /** The digest of all histories, independent of their order. */
  readonly digest: bigint;
  readonly durationMs: number;
};

/** One process uses two processors fully: while a lane waits for Postgres, others continue. */
const LANES = 4;

/** A fresh database keeps tables small in a long run. But each new connection has to plan every statement again. */
const LANE_HISTORIES = 2_000;

/** Plays histories one after another in several lanes. */
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
    wanted = () => true,
    kind = 'any',
  } = settings;
  const startedAt = performance.now();
  const tally: Tally = new Map();
  const failures: History[] = [];
  let digest = 0n;
  let next = from;
  let ended = false;
  const timeIsUp = (): boolean => performance.now() - startedAt > forMs && next - from >= atLeast;
  const takePlan = (): Plan | null => {
    while (!ended && next < until && !timeIsUp()) {
      const plan = makePlan(seed, next++, kind);
      if (wanted(plan)) return plan;
    }
    return null;
  };

  const work = async (): Promise<void> => {
    let lane: Lane | null = null;
    let apps: readonly App[] = [];
    let played = 0;
    for (let plan = takePlan(); plan !== null; plan = takePlan()) {
      if (lane === null) {
        lane = await openLane(constraints);
        apps = spoil ? lane.apps.map(spoil) : lane.apps;
      }
      const history = await runHistory(lane, plan, apps);
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
  // Every history before the one that ended the run has been played, whichever lane was faster.
  failures.sort((a, b) => a.plan.index - b.plan.index);
  return { seed, from, next, tally, failures, digest, durationMs: performance.now() - startedAt };
}

const isSpoilt = ({ violations }: History): boolean => violations.length > 0;

/** Adds a digest. A sum lets lanes play histories in any order. */
const addDigest = (sum: bigint, history: History): bigint =>
  BigInt.asUintN(64, sum + BigInt(`0x${digestOf(history)}`));
