/** The clock of a time zone. A local time is a number as if the clock showed UTC, in milliseconds since 1970. */
export type Clock = {
  /** The IANA name of the zone. */
  readonly zone: string;
  /** Returns the local time of a moment. */
  readonly localOf: (moment: Date) => number;
  /**
   * Returns the first moment whose local time is not before this one. A local time that the clock shows twice is its first
   * showing. A local time that the clock skips is the end of the gap.
   */
  readonly momentOf: (local: number) => Date;
};

export const QUARTER_MS = 15 * 60_000;
export const HOUR_MS = 4 * QUARTER_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Makes the clock of a zone. Throws for a name that is not one of a zone. */
export function clockOf(zone: string): Clock {
  const format = new Intl.DateTimeFormat('en', {
    ...({ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' } as const),
    ...({ hour: 'numeric', minute: 'numeric', second: 'numeric' } as const),
  });
  const offsetAt = (moment: number): number => {
    const parts = format.formatToParts(moment).map(({ type, value }) => [type, Number(value)] as const);
    const { year = 0, month = 1, day, hour, minute, second } = Object.fromEntries(parts);
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(moment / 1000) * 1000;
  };
  return {
    zone,
    localOf: (moment) => moment.getTime() + offsetAt(moment.getTime()),
    momentOf: (local) => {
      // Clocks change at quarters of an hour. The larger offset gives the earlier moment.
      let moment = local - Math.max(offsetAt(local - DAY_MS), offsetAt(local + DAY_MS));
      while (moment + offsetAt(moment) < local) moment += QUARTER_MS;
      return new Date(moment);
    },
  };
}

/** Returns the local midnight before a local time. */
export const midnightBefore = (local: number): number => Math.floor(local / DAY_MS) * DAY_MS;
