-- $1 service, $2 account, $3 transactions
SELECT l.id, l.transaction_id AS "transactionId", l.operation_id AS "operationId", l.kind, l.amount, l.currency,
  s.id IS NOT NULL AS settled
FROM ledger_entry l
JOIN operation o ON o.merchant_account_id = ANY (ARRAY[l.merchant_account_id]) AND o.id = ANY (ARRAY[l.operation_id]) AND o.payment_service_id = $1
LEFT JOIN settlement s ON s.merchant_account_id = ANY (ARRAY[l.merchant_account_id]) AND s.ledger_entry_id = ANY (ARRAY[l.id])
WHERE l.merchant_account_id = $2 AND l.transaction_id = ANY ($3::uuid[])
  AND l.kind IN ('capture', 'refund', 'capture_reversal', 'refund_reversal')
ORDER BY l.id
