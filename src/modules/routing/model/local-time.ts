import { DAYS, type Day, type LocalTimeQuestion } from './rule.ts';

/** A moment of the week in a time zone. */
export type LocalTime = {
  readonly day: Day;
  /** Minutes since midnight by the clock on the wall. */
  readonly minute: number;
};

/** Returns a reader of the local time of a zone. Throws for a zone that Node does not know. */
export function localTimeIn(zone: string): (at: Date) => LocalTime {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const day = DAYS.find((each) => each === parts['weekday']?.toLowerCase());
    if (!day) throw new Error(`The zone ${zone} has a day without a name.`);
    return { day, minute: Number(parts['hour']) * 60 + Number(parts['minute']) };
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
