-- Reads one payment with all its operations at one payment service, in the order of their ids.
SELECT row_to_json(t) AS transaction,
  (
    SELECT coalesce(json_agg(o ORDER BY o.id), '[]'::json) FROM operation o
    WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id
      AND o.payment_service_id = @service::uuid) AS operations
FROM transaction t
WHERE t.merchant_account_id = @account::text AND t.id = @transaction::uuid
