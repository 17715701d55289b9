-- $1 account, $2 transaction, $3 verb, $4 now
WITH waiting AS (
  SELECT o.merchant_account_id, o.id FROM operation o
  WHERE o.merchant_account_id = $1 AND o.transaction_id = $2 AND o.status = 'pending'
    AND (o.kind = $3 OR ($3 = 'capture' AND o.kind = 'authorize'))
    AND (o.lease_until IS NULL OR o.lease_until <= $4)
  FOR UPDATE SKIP LOCKED)
UPDATE operation o SET next_attempt_at = $4 FROM waiting w
WHERE o.merchant_account_id = ANY (ARRAY[w.merchant_account_id]) AND o.id = ANY (ARRAY[w.id])
