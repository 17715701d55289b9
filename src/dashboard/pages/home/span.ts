import type { ReportInterval } from '../../../client/generated/schema.ts';

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

const QUARTER_MS = 15 * 60_000;

/** Returns the days up to now, and the same part of as many days before them. Both end at a quarter of an hour. */
export function spansOf(name: SpanName, now: Date): { readonly span: Span; readonly before: Span } {
  const { days } = SPANS[name];
  const to = new Date(Math.ceil((now.getTime() + 1) / QUARTER_MS) * QUARTER_MS);
  const from = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1);
  return { span: { from, to }, before: { from: earlier(from, days), to: earlier(to, days) } };
}

/** The same time of day some days before, whatever the clocks do in between. */
function earlier(moment: Date, days: number): Date {
  const date = new Date(moment);
  date.setDate(date.getDate() - days);
  return date;
}

/** Lists the starts of the intervals of a span. */
export function startsOf({ from, to }: Span, interval: 'HOUR' | 'DAY'): readonly Date[] {
  const starts: Date[] = [];
  for (let at = from; at < to; at = next(at, interval)) starts.push(at);
  return starts;
}

function next(moment: Date, interval: 'HOUR' | 'DAY'): Date {
  const date = new Date(moment);
  if (interval === 'HOUR') date.setTime(date.getTime() + 3_600_000);
  else date.setDate(date.getDate() + 1);
  return date;
}
