import { describe, expect, it } from '@jest/globals';
import { clockOf } from '../../src/dashboard/pages/home/clock.ts';
import { spansOf, startsOf, type Span, type SpanName } from '../../src/dashboard/pages/home/span.ts';
import { splitPeriod } from '../../src/modules/reports/interval.ts';

const shown = ({ from, to }: Span): string => `${from.toISOString()} ${to.toISOString()}`;

/** A span at a moment in a zone. */
type At = { readonly zone: string; readonly now: string; readonly name: SpanName };

const spansAt = ({ zone, now, name }: At) => spansOf(name, new Date(now), clockOf(zone));

/** The starts of the intervals that the API gives a span. */
const fromApi = ({ from, to }: Span, interval: 'hour' | 'day', zone: string): readonly string[] =>
  splitPeriod({ from, to }, interval, zone).map(({ startsAt }) => startsAt.toISOString());

/** Zones whose clocks change by night, at midnight, by half an hour, during Ramadan, or never. */
const ZONES =
  `UTC Africa/Cairo Africa/Casablanca America/Havana America/New_York America/Nuuk America/Santiago Antarctica/Troll
  Asia/Beirut Asia/Gaza Asia/Kathmandu Asia/Tokyo Atlantic/Azores Australia/Lord_Howe Europe/Berlin Europe/Dublin
  Pacific/Auckland Pacific/Chatham Pacific/Kiritimati`.split(/\s+/);

describe('the span of the home page', () => {
  it.each([
    {
      day: 'a plain day of UTC',
      at: { zone: 'UTC', now: '2026-06-10T09:07:00Z', name: '1d' },
      span: '2026-06-10T00:00:00.000Z 2026-06-10T09:15:00.000Z',
      before: '2026-06-09T00:00:00.000Z 2026-06-09T09:15:00.000Z',
    },
    {
      day: 'a day that has begun in Auckland alone',
      at: { zone: 'Pacific/Auckland', now: '2026-06-09T13:00:00Z', name: '1d' },
      span: '2026-06-09T12:00:00.000Z 2026-06-09T13:15:00.000Z',
      before: '2026-06-08T12:00:00.000Z 2026-06-08T13:15:00.000Z',
    },
    {
      day: 'the short day of Berlin',
      at: { zone: 'Europe/Berlin', now: '2026-03-29T10:00:00Z', name: '1d' },
      span: '2026-03-28T23:00:00.000Z 2026-03-29T10:15:00.000Z',
      before: '2026-03-27T23:00:00.000Z 2026-03-28T11:15:00.000Z',
    },
    {
      day: 'the long day of Berlin',
      at: { zone: 'Europe/Berlin', now: '2026-10-25T10:00:00Z', name: '1d' },
      span: '2026-10-24T22:00:00.000Z 2026-10-25T10:15:00.000Z',
      before: '2026-10-23T22:00:00.000Z 2026-10-24T09:15:00.000Z',
    },
    {
      day: 'a week with the short day of New York',
      at: { zone: 'America/New_York', now: '2026-03-11T16:00:00Z', name: '7d' },
      span: '2026-03-05T05:00:00.000Z 2026-03-11T16:15:00.000Z',
      before: '2026-02-26T05:00:00.000Z 2026-03-04T17:15:00.000Z',
    },
    {
      day: 'a day of Cairo that begins at one',
      at: { zone: 'Africa/Cairo', now: '2026-04-24T09:00:00Z', name: '1d' },
      span: '2026-04-23T22:00:00.000Z 2026-04-24T09:15:00.000Z',
      before: '2026-04-22T22:00:00.000Z 2026-04-23T10:15:00.000Z',
    },
    {
      day: 'the first quarter after a day of Cairo that begins at one',
      at: { zone: 'Africa/Cairo', now: '2026-04-24T21:05:00Z', name: '1d' },
      span: '2026-04-24T21:00:00.000Z 2026-04-24T21:15:00.000Z',
      before: '2026-04-23T22:00:00.000Z 2026-04-23T22:15:00.000Z',
    },
  ] as const)('of $day has the days of the zone', ({ at, span, before }) => {
    const found = spansAt(at);

    expect([shown(found.span), shown(found.before)]).toEqual([span, before]);
  });

  it.each([
    { zone: 'Europe/Berlin', now: '2026-03-29T21:59:00Z', hours: 23 },
    { zone: 'Europe/Berlin', now: '2026-10-25T22:59:00Z', hours: 25 },
    { zone: 'Asia/Kolkata', now: '2026-10-25T18:29:00Z', hours: 24 },
    { zone: 'America/Havana', now: '2026-11-02T04:59:00Z', hours: 25 },
    // These clocks change by half an hour. One hour has 30 minutes.
    { zone: 'Australia/Lord_Howe', now: '2026-04-05T13:29:00Z', hours: 25 },
    { zone: 'Australia/Lord_Howe', now: '2026-10-03T12:59:00Z', hours: 24 },
  ])('has the $hours hours of $zone at $now, as the API counts them', ({ zone, now, hours }) => {
    const { span } = spansAt({ zone, now, name: '1d' });
    const starts = startsOf(span, 'HOUR', clockOf(zone)).map((start) => start.toISOString());

    expect(starts).toHaveLength(hours);
    expect(starts).toEqual(fromApi(span, 'hour', zone));
  });

  it.each(ZONES)('has the days of the API in %s at each change of its clocks', (zone) => {
    for (const day of ['2026-01-15', '2026-04-30', '2026-06-30', '2026-11-10']) {
      const { span, before } = spansAt({ zone, now: `${day}T11:00:00Z`, name: '90d' });
      for (const each of [span, before]) {
        const starts = startsOf(each, 'DAY', clockOf(zone)).map((start) => start.toISOString());
        expect(starts).toHaveLength(90);
        expect(starts).toEqual(fromApi(each, 'day', zone));
      }
    }
  });
});

describe('a clock', () => {
  it('refuses a name that is not one of a zone', () => {
    expect(() => clockOf('Europe/Atlantis')).toThrow(RangeError);
  });
});
