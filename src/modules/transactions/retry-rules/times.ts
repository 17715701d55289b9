import type { Paydays, RetrySchedule } from './plan.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The moments that bound the next try. */
export type Bounds = {
  /** The first decline. Hours count from it. */
  readonly declinedAt: Date;
  /** The end of the plan. No try is later. */
  readonly endsAt: Date;
  /** The latest refusal. Times up to this moment have passed. */
  readonly after: Date;
  /** The earliest moment that the scheme allows. Null: any. */
  readonly notBefore: Date | null;
};

/**
 * Returns the time of the next try. Null when no time is left before the end.
 *
 * An hour that the scheme does not allow yet moves to the earliest allowed moment. A payday moves to the next payday.
 * Times that passed during a try, or without a worker, are left out.
 */
export function nextTryAt(schedule: RetrySchedule, bounds: Bounds): Date | null {
  const next =
    'afterHours' in schedule ? nextHour(schedule.afterHours, bounds) : nextPayday(schedule.paydays, bounds);
  return next && next <= bounds.endsAt ? next : null;
}

function nextHour(hours: readonly number[], { declinedAt, after, notBefore }: Bounds): Date | null {
  const times = hours.map((hour) => new Date(declinedAt.getTime() + hour * HOUR_MS));
  const next = times.find((time) => time > after);
  return next && notBefore && notBefore > next ? notBefore : (next ?? null);
}

function nextPayday(paydays: Paydays, { after, notBefore, endsAt }: Bounds): Date | null {
  const from = notBefore && notBefore > after ? notBefore : after;
  const clock = clockOf(paydays.timeZone);
  // The day before covers the zones that are behind UTC.
  const first = Math.floor(from.getTime() / DAY_MS) - 1;
  const last = Math.floor(endsAt.getTime() / DAY_MS) + 1;
  for (let day = first; day <= last; day += 1) {
    const date = new Date(day * DAY_MS);
    if (!isPayday(paydays, date)) continue;
    const time = momentOf(date, paydays.hour, clock);
    if (time > after && time >= from) return time;
  }
  return null;
}

/** Tells whether a date is a payday. The date is the midnight of a day in UTC. */
function isPayday({ days, last }: Paydays, date: Date): boolean {
  const isLast = new Date(date.getTime() + DAY_MS).getUTCDate() === 1;
  return days.includes(date.getUTCDate()) || (last && isLast);
}

/** Reads the local time of a moment, as the milliseconds of the same time in UTC. */
type Clock = (at: Date) => number;

/**
 * Returns the moment of an hour on a date by a clock on the wall. An hour that comes twice means the first one. An hour that the
 * clock leaves out moves by the part that the clock leaves out.
 */
function momentOf(date: Date, hour: number, clock: Clock): Date {
  const wall = date.getTime() + hour * HOUR_MS;
  const offsetAt = (ms: number): number => clock(new Date(ms)) - ms;
  const [before, after] = [wall - offsetAt(wall - DAY_MS), wall - offsetAt(wall + DAY_MS)];
  const fits = [before, after].filter((ms) => clock(new Date(ms)) === wall);
  return new Date(fits.length > 0 ? Math.min(...fits) : before);
}

/** The clocks of the zones that plans have named. */
const clocks = new Map<string, Clock>();

function clockOf(timeZone: string): Clock {
  const known = clocks.get(timeZone) ?? newClock(timeZone);
  clocks.set(timeZone, known);
  return known;
}

function newClock(timeZone: string): Clock {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' },
  });
  return (at) => {
    const parts = Object.fromEntries(
      format.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((at.getTime() % 1000) + 1000) % 1000);
  };
}
