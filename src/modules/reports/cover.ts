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

/** Buckets of one length that follow each other. */
export type Run = Stretch & { readonly grain: Grain };

/** Returns the fewest buckets that have a stretch between quarters of an hour, and nothing else. */
export function coverStretch(
  { from, to }: Stretch,
  [longest, ...shorter]: readonly GrainLength[] = GRAINS,
): readonly Run[] {
  if (from >= to || !longest) return [];
  const { grain, lengthMs } = longest;
  const begin = Math.ceil(from / lengthMs) * lengthMs;
  const end = Math.floor(to / lengthMs) * lengthMs;
  if (begin >= end) return coverStretch({ from, to }, shorter);
  return [
    ...coverStretch({ from, to: begin }, shorter),
    { grain, from: begin, to: end },
    ...coverStretch({ from: end, to }, shorter),
  ];
}
