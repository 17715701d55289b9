-- $1 now, $2 account, $3 operation, $4 sealed, $5 nextAttemptAt
WITH returned AS (
  UPDATE approval a SET state = 'returned', decided_at = $1, resumed_after = least(a.resumed_after, o.attempts)
  FROM operation o JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id]) AND t.id = ANY (ARRAY[o.transaction_id])
  WHERE a.merchant_account_id = $2 AND a.operation_id = $3 AND a.kind = 'redirect' AND a.return_digest IS NOT NULL AND a.state = 'pending' AND a.expires_at > $1
    AND o.merchant_account_id = ANY (ARRAY[a.merchant_account_id]) AND o.id = ANY (ARRAY[a.operation_id]) AND o.status = 'pending' AND NOT t.void_pending
  RETURNING a.merchant_account_id, a.operation_id)
UPDATE operation o
SET sealed_returned = $4,
  next_attempt_at = CASE WHEN o.lease_until > $1 THEN $1 ELSE least(o.next_attempt_at, $5) END
FROM returned r
WHERE o.merchant_account_id = ANY (ARRAY[r.merchant_account_id]) AND o.id = ANY (ARRAY[r.operation_id]) AND o.status = 'pending'
RETURNING o.id
