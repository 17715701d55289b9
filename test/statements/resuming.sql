-- $1 account, $2 transaction, $3 since
SELECT EXISTS (
SELECT FROM operation o JOIN approval a ON o.merchant_account_id = ANY (ARRAY[a.merchant_account_id]) AND o.id = ANY (ARRAY[a.operation_id])
WHERE o.merchant_account_id = $1 AND o.transaction_id = $2 AND o.kind = 'authorize'
  AND o.accepted_at > $3 AND a.resumed_after IS NOT NULL) AS resuming
