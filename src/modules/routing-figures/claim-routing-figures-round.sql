-- Locks the due round that has waited longest, and gives the caller until @leaseUntil. Answers no row when
-- none is due.
-- The lock of the row keeps a second process from the same round. A skipped row is claimed elsewhere.
WITH due AS (
  SELECT merchant_account_id FROM routing_figures_round
  WHERE next_at <= @now::timestamptz
    AND merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
  ORDER BY next_at, merchant_account_id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
UPDATE routing_figures_round r SET next_at = @leaseUntil::timestamptz
FROM due d
WHERE r.merchant_account_id = d.merchant_account_id
RETURNING r.merchant_account_id AS "merchantAccountId"
