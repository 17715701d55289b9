-- $1 service, $2 account, $3 transaction
SELECT row_to_json(t) AS transaction, (
  SELECT coalesce(json_agg(o ORDER BY o.id), '[]'::json) FROM operation o
  WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id
    AND o.payment_service_id = $1) AS operations
FROM transaction t WHERE t.merchant_account_id = $2 AND t.id = $3
