import { LRUCache } from 'lru-cache';
import { QUARTER_MS, type Stretch } from './interval.ts';

const HOUR_MS = 4 * QUARTER_MS;

/**
 * The lengths of buckets, from the longest. All begin at midnight in UTC. A day of a zone rarely begins there. Buckets of six hours
 * then cover most of it, so a day needs some ten buckets in any zone.
 */
export const GRAINS = [
  { grain: 'day', lengthMs: 24 * HOUR_MS },
  { grain: 'six_hours', lengthMs: 6 * HOUR_MS },
  { grain: 'hour', lengthMs: HOUR_MS },
  { grain: 'quarter', lengthMs: QUARTER_MS },
] as const;
export type GrainLength = (typeof GRAINS)[number];
export type Grain = GrainLength['grain'];

/** Buckets of one length that follow each other, and whether their sums are added or taken away. */
export type Run = Stretch & { readonly grain: Grain; readonly sign: Sign };
type Sign = 1 | -1;

/** Runs with the number of their buckets, which is what they cost. */
type Cover = { readonly runs: readonly Run[]; readonly buckets: number };

const [DAY] = GRAINS;

/**
 * Returns the fewest buckets whose sums are those of a stretch between quarters of an hour. Buckets may reach beyond the stretch.
 * Then shorter ones with the sign -1 take the excess away. So a day from 23:00 is a day of UTC, more one hour, less another.
 */
export function coverStretch({ from, to }: Stretch): readonly Run[] {
  // Days of a zone lie alike in their days of UTC, so few covers serve all of them.
  const base = Math.floor(from / DAY.lengthMs) * DAY.lengthMs;
  const key = `${from - base} ${to - base}`;
  const runs = covers.get(key) ?? cover({ from: from - base, to: to - base }, GRAINS).runs;
  covers.set(key, runs);
  return runs.map((run) => ({ ...run, from: run.from + base, to: run.to + base }));
}

/** The latest covers, by a stretch's times after the midnight before it. */
const covers = new LRUCache<string, readonly Run[]>({ max: 1_000 });

function cover({ from, to }: Stretch, [longest, ...shorter]: readonly GrainLength[]): Cover {
  if (from === to) return NOTHING;
  if (!longest) return IMPOSSIBLE;
  const { grain, lengthMs } = longest;
  const inner = { from: Math.ceil(from / lengthMs) * lengthMs, to: Math.floor(to / lengthMs) * lengthMs };
  const outer = { from: Math.floor(from / lengthMs) * lengthMs, to: Math.ceil(to / lengthMs) * lengthMs };
  const ways = [inner, { ...inner, to: outer.to }, { ...inner, from: outer.from }, outer]
    .filter((run) => run.from < run.to)
    .map((run) =>
      joined([
        between(from, run.from, shorter),
        { runs: [{ grain, sign: 1, ...run }], buckets: (run.to - run.from) / lengthMs },
        between(run.to, to, shorter),
      ]),
    );
  return [...ways, cover({ from, to }, shorter)].reduce((best, way) =>
    way.buckets < best.buckets ? way : best,
  );
}

const NOTHING: Cover = { runs: [], buckets: 0 };
const IMPOSSIBLE: Cover = { runs: [], buckets: Infinity };

/** Returns the cover of a time. A time that ends before its start is taken away. */
function between(from: number, to: number, grains: readonly GrainLength[]): Cover {
  if (from <= to) return cover({ from, to }, grains);
  const { runs, buckets } = cover({ from: to, to: from }, grains);
  return { runs: runs.map((run) => ({ ...run, sign: run.sign === 1 ? -1 : 1 })), buckets };
}

const joined = (covers: readonly Cover[]): Cover => ({
  runs: covers.flatMap(({ runs }) => runs),
  buckets: covers.reduce((sum, { buckets }) => sum + buckets, 0),
});
