import { isoOf } from '../../kernel/moment.ts';
import { coverStretch, GRAINS, type Grain, type Run } from './cover.ts';
import type { Span } from './interval.ts';

/**
 * The buckets that have the intervals of a report, each once, and the intervals that each counts for. Each array is Postgres's
 * text, because pg writes arrays of moments slowly. Places count from 1.
 */
export type Buckets = Starts & {
  /** For each grain, the number of the buckets of longer grains. The places of these buckets come before. */
  readonly before: string;
  /** The place of each bucket's first use. One more element ends the uses of the last bucket. */
  readonly firsts: string;
  /** The number of the interval of each use, in the order of the buckets. */
  readonly spans: string;
  /** The sign of each use: 1 adds the bucket's sums, -1 takes them away. */
  readonly signs: string;
};

/** The names of the arrays with the starts of each grain's buckets, in the order of time. */
export const STARTS = {
  day: 'dayStarts',
  six_hours: 'sixHoursStarts',
  hour: 'hourStarts',
  quarter: 'quarterStarts',
} as const satisfies Readonly<Record<Grain, string>>;
type Starts = { readonly [G in Grain as (typeof STARTS)[G]]: string };

/** Intervals that are one bucket each, of one grain. Each value of the dimension has rows of its own. */
export type Range = {
  readonly grain: Grain;
  readonly from: Date;
  readonly to: Date;
  /** The start of the first bucket and the length of each, in seconds. */
  readonly first: number;
  readonly seconds: number;
};

type Use = Pick<Run, 'sign'> & { readonly span: number };

/** Returns the buckets whose sums are those of the intervals. An interval is one of `spans`, by its index. */
export function bucketsOf(spans: readonly Span[]): Buckets {
  const runs = spans.flatMap(({ parts }, span) =>
    parts.flatMap(coverStretch).map((run) => ({ span, ...run })),
  );
  const byGrain = GRAINS.map(({ grain, lengthMs }) => ({
    grain,
    buckets: inOrder(
      usesOf(
        runs.filter((run) => run.grain === grain),
        lengthMs,
      ),
    ),
  }));
  const uses = byGrain.flatMap(({ buckets }) => buckets.map(([, ofBucket]) => ofBucket));
  const counts = byGrain.map(({ buckets }) => buckets.length);
  const starts = byGrain.map(({ grain, buckets }) => [
    STARTS[grain],
    arrayOf(buckets.map(([start]) => isoOf(new Date(start)))),
  ]);
  return {
    ...(Object.fromEntries(starts) as Starts),
    before: arrayOf(sumsBefore(counts).slice(0, -1)),
    firsts: arrayOf(sumsBefore(uses.map(({ length }) => length)).map((sum) => sum + 1)),
    spans: arrayOf(uses.flat().map(({ span }) => span)),
    signs: arrayOf(uses.flat().map(({ sign }) => sign)),
  };
}

type Uses = ReadonlyMap<number, readonly Use[]>;

/** Returns the uses of the buckets in runs of one grain, by their starts. Neighbouring intervals may use the same bucket. */
function usesOf(runs: readonly (Run & Use)[], lengthMs: number): Uses {
  const uses = new Map<number, Use[]>();
  for (const { span, sign, from, to } of runs)
    for (let start = from; start < to; start += lengthMs) {
      const ofBucket = uses.get(start);
      if (ofBucket) ofBucket.push({ span, sign });
      else uses.set(start, [{ span, sign }]);
    }
  return uses;
}

const inOrder = (uses: Uses): readonly (readonly [number, readonly Use[]])[] =>
  [...uses].toSorted(([one], [other]) => one - other);

/** Returns for each number the sum of those before it, and at last the sum of all. */
function sumsBefore(numbers: readonly number[]): readonly number[] {
  let sum = 0;
  return [0, ...numbers.map((number) => (sum += number))];
}

/** Writes a Postgres array of values without quotes, commas and braces. */
const arrayOf = (values: readonly (string | number)[]): string => `{${values.join(',')}}`;

/** Returns the range of buckets that are the intervals of a report. Null if an interval is not one bucket. */
export function rangeOf(spans: readonly Span[]): Range | null {
  const parts = spans.flatMap((span) => span.parts);
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last || parts.length !== spans.length) return null;
  const lengthMs = first.to - first.from;
  const grain = GRAINS.find((each) => each.lengthMs === lengthMs && first.from % lengthMs === 0)?.grain;
  const isEven = parts.every(
    ({ from, to }, at) => from === first.from + at * lengthMs && to - from === lengthMs,
  );
  if (!grain || !isEven) return null;
  return {
    ...{ grain, from: new Date(first.from), to: new Date(last.to) },
    ...{ first: first.from / 1_000, seconds: lengthMs / 1_000 },
  };
}
