-- $1 account, $2 service, $3 transactions
SELECT d.id, d.transaction_id AS "transactionId", d.operation_id AS "operationId", d.amount, d.currency,
  (SELECT count(*) FILTER (WHERE s.kind = 'chargeback') - count(*) FILTER (WHERE s.kind = 'chargeback_reversal')
   FROM settlement s WHERE s.merchant_account_id = d.merchant_account_id AND s.dispute_id = d.id
     AND s.difference IS NULL)::int AS held
FROM dispute d
WHERE d.merchant_account_id = $1 AND d.payment_service_id = $2
  AND d.transaction_id = ANY ($3::uuid[])
ORDER BY d.id
