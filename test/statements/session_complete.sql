-- $1 now, $2 digest, $3 sealed, $4 nextAttemptAt
WITH completed AS (
  UPDATE approval a SET state = 'approved', decided_at = $1, resumed_after = least(a.resumed_after, o.attempts)
  FROM operation o JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id]) AND t.id = ANY (ARRAY[o.transaction_id])
  WHERE a.completion_digest = $2 AND a.state = 'pending' AND a.approved_at IS NOT NULL AND a.expires_at > $1
    AND o.merchant_account_id = ANY (ARRAY[a.merchant_account_id]) AND o.id = ANY (ARRAY[a.operation_id]) AND o.status = 'pending' AND NOT t.void_pending
  RETURNING a.merchant_account_id, a.operation_id)
UPDATE operation o
SET sealed_returned = coalesce($3::text, o.sealed_returned), next_attempt_at = CASE WHEN o.lease_until > $1 THEN $1 ELSE least(o.next_attempt_at, $4) END
FROM completed d
WHERE o.merchant_account_id = ANY (ARRAY[d.merchant_account_id]) AND o.id = ANY (ARRAY[d.operation_id]) AND o.status = 'pending'
