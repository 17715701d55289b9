import { ids, NOW } from './constraint-rows.ts';
import type { Refusal } from './settlement-refusals.ts';

const LATER = '2100-01-01T00:00:00Z';
const DECLINED = { declined_at: NOW, ends_at: LATER, after_operation_id: ids.operation };

/** Plans of later tries that the database refuses, each with the constraint. */
export const RETRY_PLAN_REFUSALS: readonly Refusal[] = [
  [
    'a plan in an unknown state',
    'transaction_retry_plan',
    { status: 'odd', next_look_at: null },
    'transaction_retry_plan_status_check',
  ],
  [
    'an end without a reason',
    'transaction_retry_plan',
    { status: 'ended', next_look_at: null },
    'transaction_retry_plan_status_check',
  ],
  [
    'an unknown reason',
    'transaction_retry_plan',
    { status: 'ended', reason: 'odd', next_look_at: null },
    'transaction_retry_plan_reason_check',
  ],
  ['a plan of a year', 'transaction_retry_plan', { until_days: 365 }, 'transaction_retry_plan_tries_check'],
  [
    'a decline without an end of the plan',
    'transaction_retry_plan',
    { ...DECLINED, ends_at: null },
    'transaction_retry_plan_declined_check',
  ],
  ['a try before a decline', 'transaction_retry_plan', { tries: 1 }, 'transaction_retry_plan_declined_check'],
  [
    'a plan that nobody looks at',
    'transaction_retry_plan',
    { next_look_at: null },
    'transaction_retry_plan_next_check',
  ],
  [
    'a try after the end',
    'transaction_retry_plan',
    { ...DECLINED, next_try_at: '2101-01-01T00:00:00Z' },
    'transaction_retry_plan_next_check',
  ],
];
