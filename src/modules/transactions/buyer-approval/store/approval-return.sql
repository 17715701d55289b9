-- Marks the pending approval with the return's digest as returned, and writes the sealed parameters to its
-- operation. Answers no row, and changes nothing, after the time limit, after the operation's end, or during
-- a cancel.
--
-- - `resumed_after` marks that a request to continue the payment may be under way from now on. The function
--   `least` ignores null, so an older mark stays.
-- - An operation under a lease becomes due at once, because its process does not know of the change. Any
--   other operation becomes due at `nextAttemptAt` at the latest.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
WITH returned AS (
  UPDATE approval a SET state = 'returned', decided_at = @now::timestamptz,
    resumed_after = least(a.resumed_after, o.attempts)
  FROM operation o
  JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id])
    AND t.id = ANY (ARRAY[o.transaction_id])
  WHERE a.return_digest = @digest::text AND a.state = 'pending' AND a.expires_at > @now
    AND o.merchant_account_id = ANY (ARRAY[a.merchant_account_id]) AND o.id = ANY (ARRAY[a.operation_id])
    AND o.status = 'pending' AND NOT t.void_pending
  RETURNING a.merchant_account_id, a.operation_id)
UPDATE operation o SET sealed_returned = @sealed::text,
  next_attempt_at = CASE
    WHEN o.lease_until > @now THEN @now
    ELSE least(o.next_attempt_at, @nextAttemptAt::timestamptz) END
FROM returned r
WHERE o.merchant_account_id = ANY (ARRAY[r.merchant_account_id]) AND o.id = ANY (ARRAY[r.operation_id])
  AND o.status = 'pending'
RETURNING o.id
