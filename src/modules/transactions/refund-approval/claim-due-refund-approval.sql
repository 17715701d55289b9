-- Locks the request with the earliest due attempt, and moves that attempt to the end of the lease. Goes
-- over all merchant accounts. Answers no row when none is due.
--
-- - The lock keeps a second process from the same request. SKIP LOCKED leaves out a request that another
--   process claims.
WITH due AS (
  SELECT merchant_account_id, id FROM refund_approval
  WHERE next_attempt_at IS NOT NULL AND next_attempt_at <= @now::timestamptz
    AND merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
  ORDER BY next_attempt_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
UPDATE refund_approval p SET next_attempt_at = @leaseUntil::timestamptz FROM due d
WHERE p.merchant_account_id = d.merchant_account_id AND p.id = d.id
RETURNING p.merchant_account_id AS "merchantAccountId", p.id
