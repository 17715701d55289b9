-- $1 transactions, $2 account, $3 limit
SELECT p.id FROM unnest($1::uuid[]) AS wanted (transaction_id)
CROSS JOIN LATERAL (
  SELECT id FROM refund_approval p
  WHERE p.merchant_account_id = $2 AND p.transaction_id = wanted.transaction_id
  ORDER BY p.id DESC LIMIT $3) p
