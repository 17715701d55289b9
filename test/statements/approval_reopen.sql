-- $1 account, $2 operation, $3 attempts, $4 sealedForm
WITH held AS (
  SELECT o.merchant_account_id, o.id FROM operation o WHERE o.merchant_account_id = $1 AND o.id = $2
    AND o.status || '' = 'pending' AND o.attempts = $3 FOR UPDATE),
forgotten AS (
  UPDATE operation o SET sealed_returned = NULL, sealed_form = coalesce($4::text, o.sealed_form)
  FROM held h WHERE o.merchant_account_id = ANY (ARRAY[h.merchant_account_id]) AND o.id = ANY (ARRAY[h.id]))
UPDATE approval a SET state = 'pending', decided_at = NULL,
  resumed_after = CASE WHEN a.resumed_after + 1 < $3 THEN a.resumed_after END
FROM held o
WHERE a.merchant_account_id = ANY (ARRAY[o.merchant_account_id]) AND a.operation_id = ANY (ARRAY[o.id]) AND (a.state = 'returned' OR (a.kind = 'session' AND a.state = 'approved'))
