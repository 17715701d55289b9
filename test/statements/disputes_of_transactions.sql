-- $1 transactions, $2 account, $3 limit
SELECT d.id FROM unnest($1::uuid[]) AS wanted (transaction_id)
CROSS JOIN LATERAL (
  SELECT id FROM dispute d WHERE d.merchant_account_id = $2 AND d.transaction_id = wanted.transaction_id
  ORDER BY d.id DESC LIMIT $3) d
