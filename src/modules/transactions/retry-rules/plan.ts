import type { Machine } from '../../../kernel/machine.ts';

/** The times of later tries of a payment. */
export type RetrySchedule =
  /** Whole hours after the first decline, ascending. 1 to 10 entries, each within the end of the plan. */
  { readonly afterHours: readonly number[] } | { readonly paydays: Paydays };

/** Days on which buyers usually have money, by the clock on the wall of a time zone. */
export type Paydays = {
  /** Days of the month, 1 to 31. A month without the day has no such payday. */
  readonly days: readonly number[];
  /** True: the last day of each month, too. */
  readonly last: boolean;
  /** The hour of the try, 0 to 23. */
  readonly hour: number;
  /** A name of the IANA time zone database. */
  readonly timeZone: string;
};

/** A plan as the merchant asks for it. */
export type RequestedRetryPlan = {
  readonly schedule: RetrySchedule;
  /** The days from the first decline to the end of the plan, 1 to 30. */
  readonly untilDays: number;
};

/**
 * The plan of the later tries of a merchant-initiated payment. Each try is an authorisation of the payment. It has an id of its own,
 * and a key of its own at the provider.
 */
export type RetryPlan = RequestedRetryPlan & {
  readonly merchantAccountId: string;
  readonly transactionId: string;
  readonly status: RetryPlanStatus;
  /** The reason of an end without success. Null before, after a success, and after a stop. */
  readonly reason: RetryPlanReason | null;
  /** The number of claimed tries. The first authorisation of the payment and its further services do not count. */
  readonly tries: number;
  /** The time of the first decline, from which the plan counts. Null before. */
  readonly declinedAt: Date | null;
  /** The end of the plan. Null before the first decline. */
  readonly endsAt: Date | null;
  /** The refused authorisation after which the next try follows. Null before the first decline. */
  readonly afterOperationId: string | null;
  /** The time of the next try. Null during a try, before the first decline, and after the end. */
  readonly nextTryAt: Date | null;
  /** The time at which a worker looks at the plan. During its look, the end of its lease. Null after the end. */
  readonly nextLookAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export const RETRY_PLAN_STATUSES = ['active', 'succeeded', 'exhausted', 'stopped', 'ended'] as const;

/**
 * The state of a plan.
 * - `active`: a try is under way, or may follow.
 * - `succeeded`: the payment was authorised.
 * - `exhausted`: no time of the plan is left.
 * - `stopped`: the merchant stopped the plan.
 * - `ended`: a further try is forbidden, or is not possible.
 */
export type RetryPlanStatus = (typeof RETRY_PLAN_STATUSES)[number];

export type RetryPlanStep = 'succeed' | 'exhaust' | 'stop' | 'end';

/** Every state of a plan and every way out of it. */
export const retryPlanLifecycle = {
  active: { succeed: 'succeeded', exhaust: 'exhausted', stop: 'stopped', end: 'ended' },
  succeeded: {},
  exhausted: {},
  stopped: {},
  ended: {},
} as const satisfies Machine<RetryPlanStatus, RetryPlanStep>;

export const RETRY_PLAN_REASONS = [
  'no_time_left',
  'scheme_limit',
  'tries_forbidden',
  'new_card_data_needed',
  'not_retriable',
  'payment_method_unusable',
  'payment_service_unusable',
  'payment_canceled',
] as const;

/**
 * The reason of an end without success.
 * - `no_time_left`: the plan has no later time.
 * - `scheme_limit`: the card's scheme allows no further try before the end of the plan.
 * - `tries_forbidden`: the scheme or the issuer forbids a further try.
 * - `new_card_data_needed`: the issuer wants the card's new data first.
 * - `not_retriable`: the refusal has a cause that time does not mend.
 */
export type RetryPlanReason = (typeof RETRY_PLAN_REASONS)[number];

/** The bounds of a plan. */
export const TRIES_MAX = 10;
export const UNTIL_DAYS_MAX = 30;
export const UNTIL_DAYS = 14;
