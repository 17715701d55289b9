-- Marks the session with the completion's digest as completed, and writes the client's sealed results.
-- Changes nothing before the buyer's approval, after the time limit, after the operation's end, or during a
-- cancel.
--
-- - The state `approved` means that a session is completed. `approved_at` alone records the buyer's
--   approval.
-- - `sealed_returned` stays as it is when the client gives no results.
-- - `resumed_after` marks that a request to continue the payment may be under way from now on. The function
--   `least` ignores null, so an older mark stays.
-- - An operation under a lease becomes due at once, because its process does not know of the change. Any
--   other operation becomes due at `nextAttemptAt` at the latest.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
WITH completed AS (
  UPDATE approval a SET state = 'approved', decided_at = @now::timestamptz,
    resumed_after = least(a.resumed_after, o.attempts)
  FROM operation o
  JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id])
    AND t.id = ANY (ARRAY[o.transaction_id])
  WHERE a.completion_digest = @digest::text AND a.state = 'pending' AND a.approved_at IS NOT NULL
    AND a.expires_at > @now AND o.merchant_account_id = ANY (ARRAY[a.merchant_account_id])
    AND o.id = ANY (ARRAY[a.operation_id]) AND o.status = 'pending' AND NOT t.void_pending
  RETURNING a.merchant_account_id, a.operation_id)
UPDATE operation o SET sealed_returned = coalesce(@sealed::text, o.sealed_returned),
  next_attempt_at = CASE
    WHEN o.lease_until > @now THEN @now
    ELSE least(o.next_attempt_at, @nextAttemptAt::timestamptz) END
FROM completed d
WHERE o.merchant_account_id = ANY (ARRAY[d.merchant_account_id]) AND o.id = ANY (ARRAY[d.operation_id])
  AND o.status = 'pending'
