import { byKey, rowOf } from '../../../platform/database/statement.ts';
import { TURN_MS } from '../notices/schedule.ts';

/**
 * Makes an expression of a larger statement. `operation` names rows of operation that may have a new provider's
 * reference. Webhooks that wait for such a reference become due at once, and get their turn again before later webhooks. The
 * expression skips a locked webhook, because another process already applies or ends it.
 */
export const rematchExpression = (operation: string): string => `
  rematched AS (
    UPDATE inbound_webhook w SET next_attempt_at = @now, turn_until = @now::timestamptz + interval '${TURN_MS} milliseconds' FROM (
      SELECT i.merchant_account_id, i.id FROM inbound_webhook i JOIN ${operation} s
        ON ${byKey('i.merchant_account_id', 's.merchant_account_id')}
          AND ${byKey('i.payment_service_id', 's.payment_service_id')}
          AND ${byKey('i.provider_reference', 's.provider_reference')}
      WHERE i.state = 'parked' AND i.next_attempt_at > @now FOR UPDATE OF i SKIP LOCKED) waiting
    WHERE ${rowOf('w', 'waiting')})`;

/**
 * Makes an expression of a larger statement. `transaction` names rows with a review that may have opened or ended.
 * Notices that wait for the review become due at once. The expression skips a locked notice, because another process
 * already applies or ends it.
 */
export const rematchReviewsExpression = (transaction: string): string => `
  reviews_rematched AS (
    UPDATE inbound_review w SET next_attempt_at = @now FROM (
      SELECT i.merchant_account_id, i.id FROM inbound_review i JOIN ${transaction} c
        ON ${byKey('i.merchant_account_id', 'c.merchant_account_id')} AND ${byKey('i.check_key', 'c.id')}
      WHERE c.anti_fraud_service_id IS NOT NULL AND i.state = 'parked' AND i.next_attempt_at > @now
      FOR UPDATE OF i SKIP LOCKED) waiting
    WHERE ${rowOf('w', 'waiting')})`;
