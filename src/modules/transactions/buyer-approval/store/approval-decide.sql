-- Writes the buyer's decision to the pending approval with the page's token. Brings its operation forward.
-- Answers no row, and changes nothing, after an earlier decision, the time limit, or the operation's end.
--
-- - The statement refuses a voucher, and a buyer who decides at the provider's own page.
-- - An approved session stays pending and gets only `approved_at`, because the client completes the
--   payment.
-- - `due` gives an operation that was never sent the time `nextAttemptAt`. An operation under a lease
--   becomes due at once. Every other operation keeps its time.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
WITH decided AS (
  UPDATE approval SET
    state = CASE WHEN kind = 'session' AND @decision::text = 'approved' THEN state ELSE @decision END,
    decided_at = CASE WHEN kind = 'session' AND @decision = 'approved' THEN NULL ELSE @now::timestamptz END,
    approved_at = CASE WHEN kind = 'session' AND @decision = 'approved' THEN @now::timestamptz END
  WHERE token = @token::text AND state = 'pending' AND kind <> 'voucher' AND return_digest IS NULL
    AND approved_at IS NULL AND expires_at > @now
    AND EXISTS (
      SELECT FROM operation o
      WHERE o.merchant_account_id = approval.merchant_account_id AND o.id = approval.operation_id
        AND o.status = 'pending')
  RETURNING merchant_account_id, operation_id),
due AS (
  UPDATE operation o SET next_attempt_at = CASE WHEN o.unsent THEN @nextAttemptAt::timestamptz ELSE @now END
  FROM decided d
  WHERE o.merchant_account_id = ANY (ARRAY[d.merchant_account_id]) AND o.id = ANY (ARRAY[d.operation_id])
    AND o.status = 'pending' AND (o.unsent OR o.lease_until > @now))
SELECT operation_id FROM decided
