-- $1 now, $2 leaseUntil
WITH due AS (
  SELECT merchant_account_id, id FROM refund_approval
  WHERE next_attempt_at IS NOT NULL AND next_attempt_at <= $1
  ORDER BY next_attempt_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
UPDATE refund_approval p SET next_attempt_at = $2
FROM due d WHERE p.merchant_account_id = d.merchant_account_id AND p.id = d.id
RETURNING p.merchant_account_id AS "merchantAccountId", p.id
