-- $1 transactions, $2 account, $3 limit
SELECT s.id FROM unnest($1::uuid[]) AS wanted (transaction_id)
CROSS JOIN LATERAL (
  SELECT id FROM settlement s WHERE s.merchant_account_id = $2 AND s.transaction_id = wanted.transaction_id
  ORDER BY s.id DESC LIMIT $3) s
