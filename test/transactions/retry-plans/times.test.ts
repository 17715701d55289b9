import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Paydays, RetrySchedule } from '../../../src/modules/transactions/retry-rules/plan.ts';
import { nextTryAt, type Bounds } from '../../../src/modules/transactions/retry-rules/times.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const bounds = (declinedAt: string, days = 14, more: Partial<Bounds> = {}): Bounds => ({
  declinedAt: new Date(declinedAt),
  endsAt: new Date(new Date(declinedAt).getTime() + days * DAY_MS),
  after: new Date(declinedAt),
  notBefore: null,
  ...more,
});

const berlin = (paydays: Partial<Paydays>): RetrySchedule => ({
  paydays: { days: [], last: false, hour: 9, timeZone: 'Europe/Berlin', ...paydays },
});

const at = (schedule: RetrySchedule, given: Bounds): string | null =>
  nextTryAt(schedule, given)?.toISOString() ?? null;

describe('hours after the first decline', () => {
  const schedule = { afterHours: [24, 72] };

  it.each([
    ['the decline', '2026-03-01T09:30:00Z', '2026-03-02T09:30:00.000Z'],
    ['the first try', '2026-03-02T09:30:05Z', '2026-03-04T09:30:00.000Z'],
    ['both times, which passed without a worker', '2026-03-04T09:31:00Z', null],
  ])('follow %s', (_, after, expected) => {
    expect(at(schedule, bounds('2026-03-01T09:30:00Z', 14, { after: new Date(after) }))).toBe(expected);
  });

  it('move to the earliest moment that the scheme allows', () => {
    const notBefore = new Date('2026-03-09T09:30:00Z');

    expect(at(schedule, bounds('2026-03-01T09:30:00Z', 14, { notBefore }))).toBe('2026-03-09T09:30:00.000Z');
    expect(at(schedule, bounds('2026-03-01T09:30:00Z', 7, { notBefore }))).toBeNull();
  });
});

describe('paydays', () => {
  it.each([
    ['a day of the month', { days: [15] }, '2026-03-10T12:00:00Z', '2026-03-15T08:00:00.000Z'],
    ['the last day of the month', { last: true }, '2026-02-20T12:00:00Z', '2026-02-28T08:00:00.000Z'],
    ['the last day of a leap year', { last: true }, '2028-02-20T12:00:00Z', '2028-02-29T08:00:00.000Z'],
    ['a day that the month lacks', { days: [31] }, '2026-06-20T12:00:00Z', null],
    ['an hour that has passed today', { days: [10, 12] }, '2026-03-10T12:00:00Z', '2026-03-12T08:00:00.000Z'],
    [
      'an hour that is still to come today',
      { days: [10] },
      '2026-03-10T07:00:00Z',
      '2026-03-10T08:00:00.000Z',
    ],
    ['the summer time', { days: [29] }, '2026-03-28T12:00:00Z', '2026-03-29T07:00:00.000Z'],
    // The clock goes from 2 to 3 on this day.
    [
      'an hour that the clock leaves out',
      { days: [29], hour: 2 },
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:00:00.000Z',
    ],
    // The clock goes from 3 back to 2 on this day.
    ['an hour that comes twice', { days: [25], hour: 2 }, '2026-10-24T12:00:00Z', '2026-10-25T00:00:00.000Z'],
    [
      'a zone far from UTC',
      { days: [1], hour: 0, timeZone: 'Pacific/Kiritimati' },
      '2026-03-25T00:00:00Z',
      '2026-03-31T10:00:00.000Z',
    ],
    [
      'a zone behind UTC',
      { last: true, hour: 23, timeZone: 'America/Los_Angeles' },
      '2026-03-25T00:00:00Z',
      '2026-04-01T06:00:00.000Z',
    ],
  ])('follow %s', (_, paydays, declinedAt, expected) => {
    expect(at(berlin(paydays), bounds(declinedAt))).toBe(expected);
  });

  it('move to the next payday after an advice of the issuer', () => {
    const notBefore = new Date('2026-03-10T08:00:01Z');
    expect(at(berlin({ days: [10, 20] }), bounds('2026-03-09T12:00:00Z', 14, { notBefore }))).toBe(
      '2026-03-20T08:00:00.000Z',
    );
  });
});

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Cairo',
];

const anyPaydays = fc.record({
  days: fc.uniqueArray(fc.integer({ min: 1, max: 31 }), { minLength: 1, maxLength: 4 }),
  last: fc.boolean(),
  hour: fc.integer({ min: 0, max: 23 }),
  timeZone: fc.constantFrom(...ZONES),
});

const anySchedule: fc.Arbitrary<RetrySchedule> = fc.oneof(
  fc
    .uniqueArray(fc.integer({ min: 1, max: 720 }), { minLength: 1, maxLength: 10 })
    .map((hours) => ({ afterHours: hours.toSorted((one, other) => one - other) })),
  anyPaydays.map((paydays) => ({ paydays })),
);

const anyBounds: fc.Arbitrary<Bounds> = fc
  .record({
    declinedMs: fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2029, 0, 1) }),
    days: fc.integer({ min: 1, max: 30 }),
    afterMs: fc.integer({ min: 0, max: 31 * DAY_MS }),
    waitMs: fc.option(fc.integer({ min: 0, max: 10 * DAY_MS })),
  })
  .map(({ declinedMs, days, afterMs, waitMs }) => ({
    declinedAt: new Date(declinedMs),
    endsAt: new Date(declinedMs + days * DAY_MS),
    after: new Date(declinedMs + afterMs),
    notBefore: waitMs === null ? null : new Date(declinedMs + afterMs + waitMs),
  }));

/** Returns the local day and hour of a moment. */
function localTime(time: Date, timeZone: string) {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, day: 'numeric', hour: 'numeric', minute: 'numeric', hourCycle: 'h23' },
  });
  const parts = Object.fromEntries(
    format.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
  );
  return { day: parts['day'] ?? 0, hour: parts['hour'] ?? 0, minute: parts['minute'] ?? 0 };
}

describe('the next try', () => {
  it('is after the refusal, not before the advice, and within the plan', () => {
    fc.assert(
      fc.property(anySchedule, anyBounds, (schedule, given) => {
        const next = nextTryAt(schedule, given);
        if (next === null) return;
        expect(next > given.after && next <= given.endsAt).toBe(true);
        expect(given.notBefore === null || next >= given.notBefore).toBe(true);
      }),
    );
  });

  it('of hours is one of them, or the earliest allowed moment', () => {
    fc.assert(
      fc.property(anySchedule, anyBounds, (schedule, given) => {
        const next = nextTryAt(schedule, given);
        if (next === null || !('afterHours' in schedule)) return;
        const hours = (next.getTime() - given.declinedAt.getTime()) / HOUR_MS;
        expect(schedule.afterHours.includes(hours) || next.getTime() === given.notBefore?.getTime()).toBe(
          true,
        );
      }),
    );
  });

  it('of paydays is on a payday at its hour, by the clock of the zone', () => {
    fc.assert(
      fc.property(anyPaydays, anyBounds, (paydays, given) => {
        const next = nextTryAt({ paydays }, given);
        if (next === null) return;
        const { day, hour, minute } = localTime(next, paydays.timeZone);
        const isLast = localTime(new Date(next.getTime() + DAY_MS), paydays.timeZone).day < day;
        expect(paydays.days.includes(day) || (paydays.last && isLast)).toBe(true);
        // An hour that the clock leaves out moves by at most an hour.
        expect(hour * 60 + minute - paydays.hour * 60).toBeGreaterThanOrEqual(0);
        expect(hour * 60 + minute - paydays.hour * 60).toBeLessThanOrEqual(60);
      }),
      { numRuns: 500 },
    );
  });

  it('leaves out no payday', () => {
    fc.assert(
      fc.property(anyPaydays, anyBounds, (paydays, given) => {
        const next = nextTryAt({ paydays }, { ...given, notBefore: null });
        const end = next ?? given.endsAt;
        // Every hour between the refusal and the next try is no payday's hour.
        const first = Math.ceil((given.after.getTime() + 1) / HOUR_MS) * HOUR_MS;
        for (let ms = first; ms < end.getTime(); ms += HOUR_MS) {
          const { day, hour } = localTime(new Date(ms), paydays.timeZone);
          const isMissed =
            paydays.days.includes(day) && hour === paydays.hour && ms - HOUR_MS > given.after.getTime();
          // Zones with a quarter or a half of an hour meet no whole hour exactly. An hour may come twice.
          const isTwice = localTime(new Date(ms - HOUR_MS), paydays.timeZone).hour === hour;
          if (isMissed && !isTwice && ms > given.after.getTime() + DAY_MS)
            throw new Error(new Date(ms).toISOString());
        }
      }),
      { numRuns: 60 },
    );
  });

  it('ends: a plan makes at most as many tries as it has times', () => {
    fc.assert(
      fc.property(anySchedule, anyBounds, (schedule, given) => {
        let after = given.declinedAt;
        let tries = 0;
        for (let next; (next = nextTryAt(schedule, { ...given, notBefore: null, after })); after = next)
          tries += 1;
        expect(tries).toBeLessThanOrEqual('afterHours' in schedule ? schedule.afterHours.length : 31);
      }),
    );
  });
});
