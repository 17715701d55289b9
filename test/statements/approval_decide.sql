-- $1 decision, $2 now, $3 token, $4 nextAttemptAt
WITH decided AS (
  UPDATE approval SET
    state = CASE WHEN kind = 'session' AND $1 = 'approved' THEN state ELSE $1 END,
    decided_at = CASE WHEN kind = 'session' AND $1 = 'approved' THEN NULL ELSE $2::timestamptz END,
    approved_at = CASE WHEN kind = 'session' AND $1 = 'approved' THEN $2::timestamptz END
  WHERE token = $3 AND state = 'pending' AND kind <> 'voucher' AND return_digest IS NULL AND approved_at IS NULL AND expires_at > $2
    AND EXISTS (SELECT FROM operation o WHERE o.merchant_account_id = approval.merchant_account_id
      AND o.id = approval.operation_id AND o.status = 'pending')
  RETURNING merchant_account_id, operation_id),
due AS (
  UPDATE operation o SET next_attempt_at = CASE WHEN o.unsent THEN $4::timestamptz ELSE $2 END FROM decided d
  WHERE o.merchant_account_id = ANY (ARRAY[d.merchant_account_id]) AND o.id = ANY (ARRAY[d.operation_id]) AND o.status = 'pending'
    AND (o.unsent OR o.lease_until > $2))
SELECT operation_id FROM decided
