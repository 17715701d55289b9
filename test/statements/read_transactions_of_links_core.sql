-- $1 links, $2 account, $3 limit
SELECT wanted.ordinal::int, t.*
FROM unnest((SELECT $1::uuid[])) WITH ORDINALITY AS wanted (payment_link_id, ordinal)
CROSS JOIN LATERAL (
  SELECT t.id, t.status, t.amount, t.currency, t.payment_service_id, t.created_at FROM transaction t
  WHERE t.merchant_account_id = $2 AND t.payment_link_id = wanted.payment_link_id
  ORDER BY t.id DESC LIMIT $3) t
