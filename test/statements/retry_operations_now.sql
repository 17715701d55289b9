-- $1 account, $2 service, $3 now
WITH waiting AS (
  SELECT merchant_account_id, id FROM operation
  WHERE merchant_account_id = $1 AND payment_service_id = $2 AND status = 'pending'
    AND unknown_at IS NOT NULL AND accepted_at IS NULL AND next_attempt_at > $3 AND (lease_until IS NULL OR lease_until <= $3)
  FOR UPDATE SKIP LOCKED)
UPDATE operation o SET next_attempt_at = $3 FROM waiting w
WHERE o.merchant_account_id = ANY (ARRAY[w.merchant_account_id]) AND o.id = ANY (ARRAY[w.id])
