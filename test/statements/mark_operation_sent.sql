-- $1 account, $2 operation, $3 now, $4 leaseUntil, $5 held, $6 attempts
WITH locked AS (
  SELECT t.void_pending FROM operation o
  JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id]) AND t.id = ANY (ARRAY[o.transaction_id])
  WHERE o.merchant_account_id = $1 AND o.id = $2 FOR NO KEY UPDATE OF t)
UPDATE operation o SET sent_at = greatest($3, o.sent_at + interval '1 millisecond'), lease_until = $4,
  next_attempt_at = $4, unsent = false
FROM locked l
WHERE o.merchant_account_id = $1 AND o.id = $2 AND o.status || '' = 'pending' AND o.lease_until = $5
  AND o.attempts = $6 AND NOT (o.kind = 'authorize' AND o.unsent AND l.void_pending)
RETURNING row_to_json(o) AS operation
