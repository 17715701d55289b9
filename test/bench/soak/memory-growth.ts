import { median, percentile } from '../statistics.ts';

/** The memory of a process at a moment of its life, in hours or in days of the service's clock. */
export type Held = { readonly at: number; readonly mb: number };

/** The growth that a process may have. */
export type Permitted = {
  /** The part of its memory by which it may grow in an hour or a day. */
  readonly share: number;
  /** Fewer samples show only how a process warms up. */
  readonly samplesMin: number;
};

/** The growth of the memory of one process, after it has warmed up. */
export type MemoryGrowth = {
  /** The median memory of the last third, in MB. */
  readonly lastMb: number;
  /** MB an hour or a day. */
  readonly rate: number;
  /** The smallest growth that the samples would have shown, in the same unit. */
  readonly leastSeen: number;
  readonly isFlat: boolean;
};

/** The least of so many neighbours is the memory without garbage. */
const NEIGHBOURS = 2;

/** Noise below this multiple of its spread is no growth. */
const SPREADS = 2;

/** Samples that would not show so many times the permitted growth tell nothing. */
const COARSE = 20;

/**
 * Judges the memory of one process by the slope of its minima. Null if it is too early, or if the noise hides even a large leak.
 *
 * The memory falls at times by a quarter, and rises again at once. So the slope is the median of the slopes between all pairs.
 */
export function judgeMemory(samples: readonly Held[], { share, samplesMin }: Permitted): MemoryGrowth | null {
  if (samples.length < samplesMin) return null;
  const third = Math.floor(samples.length / 3);
  const warm = minimaOf(samples.slice(third));
  const rate = median(slopesOf(warm));
  const [first, last] = [warm[0]?.at ?? NaN, warm.at(-1)?.at ?? NaN];
  const bases = warm.map(({ at, mb }) => mb - rate * at);
  const base = median(bases);
  // A fall now and then is no part of the spread.
  const spread = percentile(
    bases.map((each) => Math.abs(each - base)),
    0.75,
  );
  const permitted = median(warm.map(({ mb }) => mb)) * share;
  const leastSeen = permitted + (SPREADS * spread) / (last - first);
  // A growth above is no noise, however coarse the samples are.
  if (rate <= leastSeen && leastSeen > permitted * COARSE) return null;
  const lastMb = median(samples.slice(-third).map(({ mb }) => mb));
  return { lastMb, rate, leastSeen, isFlat: rate <= leastSeen };
}

const minimaOf = (samples: readonly Held[]): readonly Held[] =>
  samples.flatMap(({ at }, nth) => {
    const near = samples.slice(nth, nth + NEIGHBOURS);
    return near.length < NEIGHBOURS || nth % NEIGHBOURS !== 0
      ? []
      : [{ at, mb: Math.min(...near.map(({ mb }) => mb)) }];
  });

const slopesOf = (samples: readonly Held[]): readonly number[] =>
  samples.flatMap((one, nth) =>
    samples.slice(nth + 1).map((other) => (other.mb - one.mb) / (other.at - one.at)),
  );

/** The memory of a later process may be a tenth above that of the first. */
const BETWEEN = 1.1;

/** Returns the numbers of the processes that hold more memory at their end than the first one. */
export function biggerProcesses(processes: readonly (MemoryGrowth | null)[]): readonly number[] {
  const first = processes.find((each) => each !== null);
  return processes.flatMap((each, nth) =>
    first && each && each.lastMb > first.lastMb * BETWEEN ? [nth + 1] : [],
  );
}
