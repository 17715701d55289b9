import { DAYS, type Day, type LocalTimeQuestion } from './rule.ts';

/** A moment of the week in a time zone. */
export type LocalTime = {
  readonly day: Day;
  /** Minutes since midnight by the clock on the wall. */
  readonly minute: number;
};

type Clock = (at: Date) => LocalTime;

/** The clocks of all zones that rules have named. A zone has one, however many rules name it, in whatever spelling. */
const clocks = new Map<string, Clock>();

/** Returns a reader of the local time of a zone. Throws for a zone that Node does not know. */
export function localTimeIn(zone: string): Clock {
  const { timeZone } = new Intl.DateTimeFormat('en-GB', { timeZone: zone }).resolvedOptions();
  const known = clocks.get(timeZone) ?? clockOf(timeZone);
  clocks.set(timeZone, known);
  return known;
}

/** Makes a clock that computes a moment once. All conditions of a decision ask about one moment, and a format takes microseconds. */
function clockOf(zone: string): Clock {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  let latest: { readonly atMs: number; readonly time: LocalTime } | null = null;
  return (at) => {
    const atMs = at.getTime();
    if (latest?.atMs === atMs) return latest.time;
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const day = DAYS.find((each) => each === parts['weekday']?.toLowerCase());
    if (!day) throw new Error(`The zone ${zone} has a day without a name.`);
    const time = { day, minute: Number(parts['hour']) * 60 + Number(parts['minute']) };
    latest = { atMs, time };
    return time;
  };
}

/** Tells whether a local time is in the hours of a question. */
export function isInHours(
  { days, from, to }: Pick<LocalTimeQuestion, 'days' | 'from' | 'to'>,
  { day, minute }: LocalTime,
): boolean {
  const [start, end] = [minutesOf(from), minutesOf(to)];
  if (start < end) return days.includes(day) && minute >= start && minute < end;
  // The hours reach into the next day.
  return minute >= start ? days.includes(day) : minute < end && days.includes(dayBefore(day));
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const dayBefore = (day: Day): Day => DAYS[(DAYS.indexOf(day) + 6) % 7] ?? day;
