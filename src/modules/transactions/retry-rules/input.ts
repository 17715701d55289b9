import { z } from 'zod';
import { optional, wholeNumber } from '../../../platform/input/values.ts';
import { isTimeZone } from '../../../platform/input/time-zone.ts';
import { TRIES_MAX, UNTIL_DAYS, UNTIL_DAYS_MAX, type RequestedRetryPlan } from './plan.ts';

const paydays = z.object({
  days: z.array(wholeNumber(1, 31)).max(31, 'Must have at most 31 days.').nullish(),
  last: z.boolean().nullish(),
  hour: wholeNumber(0, 23),
  timeZone: z.string().refine(isTimeZone, 'Must be a name of the IANA time zone database, as Europe/Berlin.'),
});

/**
 * The plan of later tries in the input of a payment. Hours are whole hours after the first decline, ascending, and at most 10. The
 * plan ends 1 to 30 days after the first decline.
 */
export const retryPlan = z.object({
  afterHours: optional(
    z
      .array(wholeNumber(1, UNTIL_DAYS_MAX * 24))
      .min(1, 'Must not be empty.')
      .max(TRIES_MAX, `Must have at most ${TRIES_MAX} hours.`)
      .refine(isAscending, 'Must be ascending, and must not repeat an hour.'),
  ),
  paydays: optional(paydays),
  untilDays: wholeNumber(1, UNTIL_DAYS_MAX).nullish(),
});

type Given = z.output<typeof retryPlan>;

function isAscending(hours: readonly number[]): boolean {
  return hours.every((hour, place) => place === 0 || hour > (hours[place - 1] ?? 0));
}

type Fields = {
  readonly retryPlan: Given | null;
  readonly merchantInitiated: boolean;
  readonly paymentMethod: { readonly stored: unknown } | null;
  readonly giftCards: unknown;
  readonly threeDSecure: { readonly dataV1: unknown; readonly dataV2: unknown } | null;
};

type Issue = { readonly path: readonly string[]; readonly message: string };

/**
 * Refuses a plan that a payment cannot have. Only a payment of the merchant with a stored card may be tried later. The data of an
 * authentication is good for one authorisation.
 */
export function refuseRetryPlan({ retryPlan: plan, ...fields }: Fields): readonly Issue[] {
  if (plan === null) return [];
  const issues: Issue[] = [];
  const refuse = (message: string, ...path: readonly string[]): void =>
    void issues.push({ path: ['retryPlan', ...path], message });
  if (!fields.merchantInitiated) refuse('Must be absent: the merchant does not initiate the payment.');
  if (fields.paymentMethod?.stored == null) refuse(STORED_CARDS_ONLY);
  if (fields.giftCards !== null) refuse('Must be absent: a gift card pays.');
  if (fields.threeDSecure?.dataV1 != null || fields.threeDSecure?.dataV2 != null)
    refuse('Must be absent: the data of an authentication is good for one authorisation.');
  if ((plan.afterHours === null) === (plan.paydays === null))
    refuse('Must have either afterHours or paydays.');
  const last = plan.afterHours?.at(-1) ?? 0;
  const days = plan.untilDays ?? UNTIL_DAYS;
  if (last > days * 24) refuse('Must be within the end of the plan, which untilDays sets.', 'afterHours');
  if (plan.paydays && !plan.paydays.last && !plan.paydays.days?.length)
    refuse('Must name a day, or the last day of the month.', 'paydays', 'days');
  return issues;
}

/** The refusal of a plan for a payment that no stored card pays. */
export const STORED_CARDS_ONLY = 'Must be absent: no stored card pays.';

/** Converts a checked plan. Days are ascending, each once. */
export function toRetryPlan(given: Given | null): RequestedRetryPlan | null {
  if (given === null) return null;
  const untilDays = given.untilDays ?? UNTIL_DAYS;
  if (given.afterHours) return { schedule: { afterHours: given.afterHours }, untilDays };
  if (!given.paydays) throw new Error('A retry plan has no times.');
  const { days, last, hour, timeZone } = given.paydays;
  const each = [...new Set(days)].toSorted((one, other) => one - other);
  return { schedule: { paydays: { days: each, last: last ?? false, hour, timeZone } }, untilDays };
}
