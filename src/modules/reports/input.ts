import { z } from 'zod';
import { oneOf, uuid } from '../../platform/lists/filters.ts';
import { text } from '../../platform/input/text.ts';
import { country, currency, optional } from '../../platform/input/values.ts';
import { isTimeZone } from '../../platform/input/time-zone.ts';
import { countIntervals, INTERVALS, QUARTER_MS } from './interval.ts';
import { DIMENSIONS, type Dimension } from './measures.ts';

const YEARS_MAX = 5;
const YEAR_MS = 366 * 24 * 3_600_000;

/** The most intervals of one report. */
export const INTERVALS_MAX = 1_000;

const quarterHour = z
  .date()
  .refine((moment) => moment.getTime() % QUARTER_MS === 0, 'Must be a quarter of an hour, such as 10:15:00.');

const word = text(0, 100);

/** The filter of a report. Beside currencies, one dimension may be named. */
const filter = z
  .object({
    currency: oneOf(currency),
    payment_service: oneOf(uuid('payment service')),
    method: oneOf(word),
    scheme: oneOf(word),
    card_country: oneOf(country),
    country: oneOf(country),
    buyer_country: oneOf(country),
    payment_source: oneOf(word),
    three_d_secure: oneOf(word),
    decline_code: oneOf(word),
  })
  .prefault({});

type Filter = z.output<typeof filter>;

/** Returns the dimensions that a filter names. */
export const filteredBy = (given: Filter): readonly Dimension[] =>
  DIMENSIONS.filter((dimension) => given[dimension] !== null);

/**
 * The input of a report. Refuses:
 *
 * - times between quarters of an hour, and more than five years
 * - more than INTERVALS_MAX intervals, and an unknown time zone
 * - two dimensions at once, because the sums of each dimension are kept apart
 */
export const reportInput = z
  .object({
    from: quarterHour,
    to: quarterHour,
    interval: optional(z.enum(INTERVALS)),
    timeZone: z.string().refine(isTimeZone, 'Must be the IANA name of a time zone, such as Europe/Berlin.'),
    groupBy: optional(z.enum(DIMENSIONS)),
    filter,
  })
  .superRefine((given, context) => {
    const refuse = (path: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [path], message });
    const { from, to, interval, groupBy } = given;
    if (from >= to) return refuse('from', 'Must be before to.');
    if (to.getTime() - from.getTime() > YEARS_MAX * YEAR_MS)
      return refuse('from', `Must be at most ${YEARS_MAX} years before to.`);
    if (interval !== null && countIntervals(given, interval) > INTERVALS_MAX)
      refuse(
        'interval',
        `Gives more than ${INTERVALS_MAX} intervals. Choose a longer one, or a shorter time.`,
      );
    const [first, second] = [
      ...new Set([...(groupBy === null ? [] : [groupBy]), ...filteredBy(given.filter)]),
    ];
    if (first !== undefined && second !== undefined)
      refuse('filter', 'A report has one dimension beside the currency. Filter by that of groupBy alone.');
  });

export type ReportInput = z.output<typeof reportInput>;
