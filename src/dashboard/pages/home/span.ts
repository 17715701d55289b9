import type { ReportInterval } from '../../../client/generated/schema.ts';
import { DAY_MS, HOUR_MS, midnightBefore, QUARTER_MS, type Clock } from './clock.ts';

/** The spans of the home page, each with its days and the interval of its sums. */
export const SPANS = {
  '1d': { days: 1, interval: 'HOUR' },
  '7d': { days: 7, interval: 'DAY' },
  '30d': { days: 30, interval: 'DAY' },
  '90d': { days: 90, interval: 'DAY' },
} as const satisfies Readonly<Record<string, { readonly days: number; readonly interval: ReportInterval }>>;

export type SpanName = keyof typeof SPANS;

/** Reads the name of a span. Any other text gives a week. */
export const readSpan = (text: string | null): SpanName =>
  text !== null && text in SPANS ? (text as SpanName) : '7d';

/** Two moments. The end does not belong to the span. */
export type Span = { readonly from: Date; readonly to: Date };

/**
 * Returns the days of a zone up to now, and the same part of as many days before them. Both end at a quarter of an hour. Days
 * are those of the zone's calendar, so one can have 23 or 25 hours.
 */
export function spansOf(
  name: SpanName,
  now: Date,
  clock: Clock,
): { readonly span: Span; readonly before: Span } {
  const { days } = SPANS[name];
  const to = new Date(Math.ceil((now.getTime() + 1) / QUARTER_MS) * QUARTER_MS);
  const first = midnightBefore(clock.localOf(now)) - (days - 1) * DAY_MS;
  const earlier = (local: number): Date => clock.momentOf(local - days * DAY_MS);
  const [from, end] = [earlier(first), earlier(clock.localOf(to))];
  // The clock may have skipped the whole part. The API refuses an empty one.
  const least = new Date(from.getTime() + QUARTER_MS);
  return {
    span: { from: clock.momentOf(first), to },
    before: { from, to: end > from ? end : least },
  };
}

/** Lists the starts of the intervals of a span, as the zone's clock shows them. */
export function startsOf({ from, to }: Span, interval: 'HOUR' | 'DAY', clock: Clock): readonly Date[] {
  const starts: Date[] = [];
  for (let at = from; at < to; at = next(at, interval, clock)) starts.push(at);
  return starts;
}

function next(moment: Date, interval: 'HOUR' | 'DAY', clock: Clock): Date {
  const local = clock.localOf(moment);
  if (interval === 'DAY') return clock.momentOf(midnightBefore(local) + DAY_MS);
  // An hour that the clock shows twice is two hours.
  return new Date(moment.getTime() + HOUR_MS - (local % HOUR_MS));
}
