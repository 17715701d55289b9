import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { coverStretch, type Run } from '../../src/modules/reports/cover.ts';
import { countIntervals, QUARTER_MS, splitPeriod } from '../../src/modules/reports/interval.ts';
import { isTimeZone } from '../../src/platform/input/time-zone.ts';

const period = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) });
const YEAR = period('2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z');

/** The number of buckets that a year by day reads. */
const bucketsOf = (timeZone: string): number =>
  splitPeriod(YEAR, 'day', timeZone)
    .flatMap(({ parts }) => parts.flatMap((part) => coverStretch(part)))
    .reduce((sum, { grain, from, to }) => sum + (to - from) / LENGTHS_MS[grain], 0);

const HOUR_MS = 3_600_000;
const LENGTHS_MS = { quarter: HOUR_MS / 4, hour: HOUR_MS, six_hours: 6 * HOUR_MS, day: 24 * HOUR_MS };

it.each([
  ['UTC', 1],
  ['Europe/Berlin', 5],
  ['America/New_York', 7],
  ['Asia/Tokyo', 9],
  ['Asia/Kolkata', 7],
  ['Asia/Kathmandu', 5],
  ['Australia/Lord_Howe', 9],
])('a day in %s has at most about %i buckets', (timeZone, most) => {
  const perDay = bucketsOf(timeZone) / 366;
  expect(perDay).toBeGreaterThan(most - 2);
  expect(perDay).toBeLessThan(most + 0.1);
});

/** The quarters of an hour of buckets, each with the number of times that it counts. */
function quartersOf(runs: readonly Run[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { sign, from, to } of runs)
    for (let at = from; at < to; at += QUARTER_MS) counts.set(at, (counts.get(at) ?? 0) + sign);
  return new Map([...counts].filter(([, count]) => count !== 0));
}

const BASE = Date.UTC(2026, 0, 1);
const quarter = fc.integer({ min: 0, max: 5 * 96 });

it('counts each quarter of an hour of a stretch once, and no other', () => {
  fc.assert(
    fc.property(quarter, quarter, (one, other) => {
      const [from, to] = [BASE + Math.min(one, other) * QUARTER_MS, BASE + Math.max(one, other) * QUARTER_MS];
      const expected = Array.from({ length: (to - from) / QUARTER_MS }, (_, at) => from + at * QUARTER_MS);
      const counted = quartersOf(coverStretch({ from, to }));
      expect([...counted.keys()].toSorted((a, b) => a - b)).toEqual(expected);
      expect([...counted.values()].every((count) => count === 1)).toBe(true);
    }),
    { seed: 1, numRuns: 300 },
  );
});

it('takes the excess of longer buckets away', () => {
  const [from, to] = [Date.UTC(2026, 0, 1, 23), Date.UTC(2026, 0, 2, 23)];
  expect(coverStretch({ from, to })).toEqual([
    { grain: 'hour', sign: 1, from, to: from + HOUR_MS },
    { grain: 'day', sign: 1, from: from + HOUR_MS, to: to + HOUR_MS },
    { grain: 'hour', sign: -1, from: to, to: to + HOUR_MS },
  ]);
});

it('covers a stretch by the longest buckets inside it', () => {
  const from = Date.UTC(2026, 0, 1, 16, 45);
  const to = Date.UTC(2026, 0, 4, 7, 15);
  expect(
    coverStretch({ from, to }).map((run) => [run.grain, (run.to - run.from) / LENGTHS_MS[run.grain]]),
  ).toEqual([
    ['quarter', 1],
    ['hour', 1],
    ['six_hours', 1],
    ['day', 2],
    ['six_hours', 1],
    ['hour', 1],
    ['quarter', 1],
  ]);
});

const startsOf = (from: string, to: string, zone: string) =>
  splitPeriod(period(from, to), 'day', zone).map(({ startsAt }) => startsAt.toISOString().slice(0, 16));

it.each([
  ['has 23 hours in spring', 'Europe/Berlin', '2027-03-27T23:00', '2027-03-28T22:00'],
  ['has 25 hours in autumn', 'Europe/Berlin', '2027-10-30T22:00', '2027-10-31T23:00'],
  ['begins at one where midnight does not exist', 'America/Santiago', '2027-09-05T04:00', '2027-09-06T03:00'],
  ['begins at the first of two midnights', 'America/Havana', '2027-11-07T04:00', '2027-11-08T05:00'],
  [
    'has half an hour more on Lord Howe Island',
    'Australia/Lord_Howe',
    '2027-04-03T13:00',
    '2027-04-04T13:30',
  ],
])('a day %s', (_, zone, start, next) => {
  const day = Date.parse(`${start}Z`);
  const at = (hours: number): string => new Date(day + hours * HOUR_MS).toISOString();
  expect(startsOf(at(-3), at(30), zone).slice(1, 3)).toEqual([start, next]);
});

it('begins the first interval before the period, and cuts it', () => {
  const [first] = splitPeriod(
    period('2027-03-15T12:00:00Z', '2027-05-01T00:00:00Z'),
    'quarter',
    'Europe/Berlin',
  );
  expect(first).toEqual({
    startsAt: new Date('2026-12-31T23:00:00Z'),
    parts: [{ from: Date.UTC(2027, 2, 15, 12), to: Date.UTC(2027, 2, 31, 22) }],
  });
});

it('the number of intervals counts those cut by the ends', () => {
  expect(countIntervals(YEAR, 'year')).toBeGreaterThanOrEqual(1);
  expect(countIntervals(YEAR, 'day')).toBeGreaterThanOrEqual(366);
  expect(countIntervals(YEAR, 'quarter_hour')).toBeGreaterThan(365 * 96);
});

it.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['Berlin', false],
  ['', false],
  ['+01:00', false],
])('%s is a time zone: %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});
