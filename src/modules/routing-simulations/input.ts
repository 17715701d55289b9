import { z } from 'zod';
import { invalidInput, type InvalidInput } from '../../kernel/refusal.ts';
import { optional, wholeNumber } from '../../platform/input/values.ts';

/** The input of a simulation. The period is checked apart, because its end may be the moment of the request. */
export const simulateInput = z.object({
  versionId: z.string(),
  from: z.date(),
  to: optional(z.date()),
  sample: wholeNumber(1, 100).default(100),
});

export type SimulateInput = z.input<typeof simulateInput>;

/** The longest period: a year, and a day for a leap year. */
const DAYS_MAX = 366;
const DAY_MS = 24 * 3_600_000;

type Period = { readonly from: Date; readonly to: Date; readonly now: Date };

/** Returns the refusal of a period that is empty, too long or not past. Null for any other period. */
export function refusePeriod({ from, to, now }: Period): InvalidInput | null {
  const length = to.getTime() - from.getTime();
  if (to > now) return invalidInput(['input', 'to'], 'Must not be in the future.');
  if (length <= 0) return invalidInput(['input', 'from'], 'Must be before the end of the period.');
  return length > DAYS_MAX * DAY_MS
    ? invalidInput(['input', 'from'], `Must be at most ${DAYS_MAX} days before the end of the period.`)
    : null;
}
