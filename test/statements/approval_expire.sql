-- $1 now
WITH late AS (
  SELECT merchant_account_id, operation_id FROM approval WHERE state = 'pending' AND expires_at <= $1
  ORDER BY expires_at LIMIT 500 FOR UPDATE SKIP LOCKED),
expired AS (
  UPDATE approval a SET state = 'expired', decided_at = $1 FROM late l
  WHERE a.merchant_account_id = l.merchant_account_id AND a.operation_id = l.operation_id
  RETURNING a.merchant_account_id, a.operation_id)
UPDATE operation o SET next_attempt_at = $1 FROM expired e
WHERE o.merchant_account_id = ANY (ARRAY[e.merchant_account_id]) AND o.id = ANY (ARRAY[e.operation_id]) AND o.status = 'pending'
  AND (o.next_attempt_at IS NULL OR o.next_attempt_at > $1)
RETURNING o.id
