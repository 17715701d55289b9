/** The lengths of a report's rows. */
export const INTERVALS = ['quarter_hour', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type Interval = (typeof INTERVALS)[number];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
export const QUARTER_MS = 15 * MINUTE_MS;

/** The shortest length of an interval, which bounds the number of rows. A day may have 23 hours. */
const SHORTEST_MS: Readonly<Record<Interval, number>> = {
  ...{ quarter_hour: QUARTER_MS, hour: HOUR_MS, day: 23 * HOUR_MS, week: 7 * DAY_MS - HOUR_MS },
  ...{ month: 28 * DAY_MS, quarter: 90 * DAY_MS, year: 365 * DAY_MS },
};

type Period = { readonly from: Date; readonly to: Date };

/** Returns the most intervals that a period may have. */
export const intervalsOf = ({ from, to }: Period, interval: Interval): number =>
  Math.ceil((to.getTime() - from.getTime()) / SHORTEST_MS[interval]) + 1;

/** Returns true for the IANA name of a time zone, such as Europe/Berlin. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** The lengths of buckets. Days are those of UTC. */
export type Grain = 'day' | 'hour' | 'quarter';

/** The coarsest grain whose buckets lie within the intervals of a report. */
export function grainOf(period: Period, interval: Interval | null, timeZone: string): Grain {
  if (interval === 'quarter_hour') return 'quarter';
  const fits = (lengthMs: number): boolean =>
    [period.from, period.to].every((each) => each.getTime() % lengthMs === 0) &&
    (interval === null || hasOffsetsOf(lengthMs, period, timeZone));
  if (interval !== 'hour' && fits(DAY_MS)) return 'day';
  return fits(HOUR_MS) ? 'hour' : 'quarter';
}

/**
 * Returns true if the zone's clock differs from UTC by a multiple of the length. A zone changes its offset a few times a year. So
 * one look each week finds every offset that lasts.
 */
function hasOffsetsOf(lengthMs: number, { from, to }: Period, timeZone: string): boolean {
  const format = new Intl.DateTimeFormat('en', {
    ...({ timeZone, hour: 'numeric', minute: 'numeric', hourCycle: 'h23' } as const),
  });
  const isWhole = (moment: number): boolean => {
    const at = Object.fromEntries(
      format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]),
    );
    const local = (at.hour ?? 0) * HOUR_MS + (at.minute ?? 0) * MINUTE_MS;
    return (local - (moment % DAY_MS)) % lengthMs === 0;
  };
  const weeks = Math.ceil((to.getTime() - from.getTime()) / (7 * DAY_MS));
  return Array.from({ length: weeks + 1 }, (_, week) =>
    Math.min(from.getTime() + week * 7 * DAY_MS, to.getTime()),
  ).every(isWhole);
}
