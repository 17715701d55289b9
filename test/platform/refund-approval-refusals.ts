import { ids, NOW } from './constraint-rows.ts';
import type { Refusal } from './settlement-refusals.ts';

const REJECTED = { status: 'rejected', decided_at: NOW, decided_by: 'robin@example.com' };
const APPROVED = { ...REJECTED, status: 'approved', next_attempt_at: NOW };
const ONE = '019ca8f0-0000-7000-8000-000000000001';

/** Requests for refunds that the database refuses, each with the constraint. */
export const REFUND_APPROVAL_REFUSALS: readonly Refusal[] = [
  ['a request for nothing', 'refund_approval', { amount: 0 }, 'refund_approval_amount_check'],
  ['a request in no currency', 'refund_approval', { currency: 'U$D' }, 'refund_approval_currency_check'],
  ['a request for nobody', 'refund_approval', { target: 'odd' }, 'refund_approval_target_check'],
  [
    'a request in an unknown state',
    'refund_approval',
    { ...REJECTED, status: 'odd' },
    'refund_approval_status_check',
  ],
  [
    'a decision by nobody',
    'refund_approval',
    { ...REJECTED, decided_by: null },
    'refund_approval_decided_check',
  ],
  [
    'an approval by the person who asked',
    'refund_approval',
    { ...APPROVED, decided_by: 'kim@example.com' },
    'refund_approval_second_person_check',
  ],
  [
    'an approval by the account that asked',
    'refund_approval',
    { ...APPROVED, requested_by_id: ONE, decided_by_id: ONE },
    'refund_approval_second_person_check',
  ],
  [
    'a refund without an approval',
    'refund_approval',
    { operation_id: ids.operation },
    'refund_approval_refund_check',
  ],
  [
    'an approved request that no worker looks at',
    'refund_approval',
    { ...APPROVED, next_attempt_at: null },
    'refund_approval_refund_check',
  ],
  [
    'a failure without a code',
    'refund_approval',
    { ...REJECTED, status: 'failed' },
    'refund_approval_error_check',
  ],
];
