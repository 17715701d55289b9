import type { RequestedRetryPlan } from '../retry-rules/plan.ts';

/**
 * The part of the statement of a new payment that writes its plan, from the payment in `made`. Parameters: now, and those of
 * planValues.
 */
export const PLAN_WRITTEN = `plan_written AS (
  INSERT INTO transaction_retry_plan (merchant_account_id, transaction_id, schedule, until_days, next_look_at,
    created_at, updated_at)
  SELECT merchant_account_id, id, @planSchedule::jsonb, @planUntilDays::int, @planLookAt::timestamptz, @now, @now
  FROM made)`;

/** Returns the values of the parameters of `PLAN_WRITTEN`. */
export const planValues = ({ schedule, untilDays }: RequestedRetryPlan, lookAt: Date) => ({
  planSchedule: JSON.stringify(schedule),
  planUntilDays: untilDays,
  planLookAt: lookAt,
});
