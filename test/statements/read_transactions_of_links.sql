-- $1 links, $2 account, $3 limit
SELECT row_to_json(t) AS transaction FROM unnest($1::uuid[]) AS wanted (payment_link_id)
CROSS JOIN LATERAL (
  SELECT * FROM transaction t
  WHERE t.merchant_account_id = $2 AND t.payment_link_id = wanted.payment_link_id
  ORDER BY t.id DESC LIMIT $3) t
