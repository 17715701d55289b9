import { LRUCache } from 'lru-cache';

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

/** A length that no interval exceeds, also where the clocks change. */
const LONGEST_MS: Readonly<Record<Interval, number>> = {
  ...{ quarter_hour: DAY_MS, hour: DAY_MS, day: 2 * DAY_MS, week: 8 * DAY_MS },
  ...{ month: 32 * DAY_MS, quarter: 94 * DAY_MS, year: 368 * DAY_MS },
};

/** A time from one moment to before another. */
export type Period = { readonly from: Date; readonly to: Date };

/** Returns the most intervals that a period may have. */
export const countIntervals = ({ from, to }: Period, interval: Interval): number =>
  Math.ceil((to.getTime() - from.getTime()) / SHORTEST_MS[interval]) + 1;

/** A time in milliseconds since 1970, without its end. */
export type Stretch = { readonly from: number; readonly to: number };

/** One row's time. It has more than one part only where a day begins twice. */
export type Span = { readonly startsAt: Date; readonly parts: readonly Stretch[] };

/**
 * Returns the intervals of a period in the order of time, each cut to the period. An interval begins where the clocks of the
 * zone first show it. So `startsAt` of the first one may lie before the period. Without an interval, the period is one.
 */
export function splitPeriod(period: Period, interval: Interval | null, timeZone: string): readonly Span[] {
  const [from, to] = [period.from.getTime(), period.to.getTime()];
  if (interval === null) return [{ startsAt: period.from, parts: [{ from, to }] }];
  const spans = new Map<number, { startsAt: Date; parts: Stretch[] }>();
  // The walk begins early, so that it meets the start of the interval that has the first moment.
  for (const stretch of stretchesOf({ from: from - LONGEST_MS[interval], to }, timeZone))
    for (const { key, ...part } of cut(stretch, interval)) {
      const span = spans.get(key) ?? { startsAt: new Date(part.from), parts: [] };
      if (part.to > from) append(span.parts, { ...part, from: Math.max(part.from, from) });
      spans.set(key, span);
    }
  return [...spans.values()].filter(({ parts }) => parts.length > 0);
}

/** Appends a part. It lengthens a part that ends at its start, because longer parts need fewer buckets. */
function append(parts: Stretch[], part: Stretch): void {
  const last = parts.at(-1);
  if (last?.to === part.from) parts.splice(-1, 1, { from: last.from, to: part.to });
  else parts.push(part);
}

/** Cuts a stretch where its clocks show new intervals. The key tells parts of one interval from those of another. */
function* cut(
  { from, to, offsetMs }: ZonedStretch,
  interval: Interval,
): Generator<Stretch & { key: number }> {
  for (let at = from; at < to;) {
    const begin = beginningOf(at + offsetMs, interval);
    const end = Math.min(afterBeginning(begin, interval) - offsetMs, to);
    // An hour that the clocks show twice is two hours. A day with such an hour is one day.
    const key = interval === 'hour' || interval === 'quarter_hour' ? begin - offsetMs : begin;
    yield { key, from: at, to: end };
    at = end;
  }
}

/** Returns the first moment of the interval that has a moment. Both are times of a clock, as if the clock showed UTC. */
function beginningOf(local: number, interval: Interval): number {
  const date = new Date(local);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  switch (interval) {
    case 'quarter_hour':
      return local - (local % QUARTER_MS);
    case 'hour':
      return local - (local % HOUR_MS);
    case 'day':
      return Date.UTC(year, month, day);
    case 'week':
      return Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7));
    case 'month':
      return Date.UTC(year, month);
    case 'quarter':
      return Date.UTC(year, month - (month % 3));
    case 'year':
      return Date.UTC(year, 0);
  }
}

/** Returns the beginning of the next interval, which has the moment a little beyond the longest possible length. */
const afterBeginning = (begin: number, interval: Interval): number =>
  interval === 'quarter_hour' || interval === 'hour'
    ? begin + SHORTEST_MS[interval]
    : beginningOf(begin + LONGEST_MS[interval] - DAY_MS / 2, interval);

/** A time in which the zone's clocks do not change. */
type ZonedStretch = Stretch & { readonly offsetMs: number };

const WEEK_MS = 7 * DAY_MS;

/**
 * Cuts a time where the zone's clocks change. A zone changes its offset a few times a year, at quarters of an hour. So a look each
 * week finds every offset.
 */
function* stretchesOf({ from, to }: Stretch, timeZone: string): Generator<ZonedStretch> {
  const offsetAt = offsetsOf(timeZone);
  let [start, offsetMs] = [from, offsetAt(from)];
  for (let at = from; at < to;) {
    const next = Math.min(at + WEEK_MS, to);
    const change = offsetAt(next) === offsetMs ? null : firstChange({ from: at, to: next }, offsetAt);
    at = change ?? next;
    if (change === null || change === to) continue;
    yield { from: start, to: change, offsetMs };
    [start, offsetMs] = [change, offsetAt(change)];
  }
  yield { from: start, to, offsetMs };
}

/** Returns the quarter of an hour at which the offset is no longer the first one. */
function firstChange({ from, to }: Stretch, offsetAt: (moment: number) => number): number {
  const first = offsetAt(from);
  let [before, after] = [from, to];
  while (after - before > QUARTER_MS) {
    const middle = before + Math.floor((after - before) / (2 * QUARTER_MS)) * QUARTER_MS;
    if (offsetAt(middle) === first) before = middle;
    else after = middle;
  }
  return after;
}

/** Returns a function that tells by how much the zone's clocks are ahead of UTC, in milliseconds. */
function offsetsOf(timeZone: string): (moment: number) => number {
  const format = formatOf(timeZone);
  return (moment) => {
    const at = Object.fromEntries(
      format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day, hour, minute, second } = at;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(moment / 1000) * 1000;
  };
}

/** The zones in use. To make a format costs more than a hundred of its answers. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 });

/** Throws for a name that is not one of a zone. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en', {
    ...({ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' } as const),
    ...({ hour: 'numeric', minute: 'numeric', second: 'numeric' } as const),
  });
  formats.set(timeZone, format);
  return format;
}
