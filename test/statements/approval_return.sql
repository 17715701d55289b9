-- $1 now, $2 digest, $3 sealed, $4 nextAttemptAt
WITH returned AS (
  UPDATE approval a SET state = 'returned', decided_at = $1, resumed_after = least(a.resumed_after, o.attempts)
  FROM operation o JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id]) AND t.id = ANY (ARRAY[o.transaction_id])
  WHERE a.return_digest = $2 AND a.state = 'pending' AND a.expires_at > $1
    AND o.merchant_account_id = ANY (ARRAY[a.merchant_account_id]) AND o.id = ANY (ARRAY[a.operation_id]) AND o.status = 'pending' AND NOT t.void_pending
  RETURNING a.merchant_account_id, a.operation_id)
UPDATE operation o
SET sealed_returned = $3,
  next_attempt_at = CASE WHEN o.lease_until > $1 THEN $1 ELSE least(o.next_attempt_at, $4) END
FROM returned r
WHERE o.merchant_account_id = ANY (ARRAY[r.merchant_account_id]) AND o.id = ANY (ARRAY[r.operation_id]) AND o.status = 'pending'
RETURNING o.id
