import { expect, it } from '@jest/globals';
import { grainOf, intervalsOf, isTimeZone } from '../../src/modules/reports/interval.ts';

const period = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) });
const YEAR = period('2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z');

it.each([
  ['a year by day in Berlin', YEAR, 'day', 'Europe/Berlin', 'hour'],
  ['a year by day in Kathmandu', YEAR, 'day', 'Asia/Kathmandu', 'quarter'],
  ['a year by day where summer is half an hour', YEAR, 'day', 'Australia/Lord_Howe', 'quarter'],
  ['the whole of a year anywhere', YEAR, null, 'Asia/Kathmandu', 'day'],
  ['a year by month in UTC', YEAR, 'month', 'UTC', 'day'],
  ['a year by hour', YEAR, 'hour', 'UTC', 'hour'],
  [
    'a year that begins in the night of Berlin',
    period('2025-12-31T23:00:00Z', '2026-12-31T23:00:00Z'),
    null,
    'UTC',
    'hour',
  ],
  ['a year by day in London, which has summer time', YEAR, 'day', 'Europe/London', 'hour'],
  ['quarters of an hour', YEAR, 'quarter_hour', 'UTC', 'quarter'],
  ['half an hour', period('2026-01-01T00:00:00Z', '2026-01-01T00:30:00Z'), null, 'UTC', 'quarter'],
] as const)('%s needs buckets of the right grain', (_, given, interval, zone, grain) => {
  expect(grainOf(given, interval, zone)).toBe(grain);
});

it('the number of intervals counts those cut by the ends', () => {
  expect(intervalsOf(YEAR, 'year')).toBeGreaterThanOrEqual(1);
  expect(intervalsOf(YEAR, 'day')).toBeGreaterThanOrEqual(366);
  expect(intervalsOf(YEAR, 'quarter_hour')).toBeGreaterThan(365 * 96);
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
