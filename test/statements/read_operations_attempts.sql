-- $1 transactions, $2 account, $3 limit
SELECT row_to_json(o) AS operation FROM unnest($1::uuid[]) AS wanted (transaction_id)
CROSS JOIN LATERAL (
  SELECT * FROM operation o WHERE o.merchant_account_id = $2 AND o.transaction_id = wanted.transaction_id
    AND o.kind = 'authorize' ORDER BY o.id LIMIT $3) o
