-- Reads the payment that has this id at the payment service, with its operations there. The id may be that
-- of a capture. It may be that of an earlier attempt, after which the payment went on at another payment
-- service.
-- COLLATE "C" fits the index of the payments' references.
SELECT row_to_json(t) AS transaction,
  (
    SELECT coalesce(json_agg(o ORDER BY o.id), '[]'::json) FROM operation o
    WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id
      AND o.payment_service_id = @service::uuid) AS operations
FROM (
  SELECT p.id FROM transaction p
  WHERE p.merchant_account_id = @account::text AND p.payment_service_id = @service
    AND p.payment_service_transaction_id = @reference::text COLLATE "C"
  UNION
  SELECT a.transaction_id FROM operation a
  WHERE a.merchant_account_id = @account AND a.provider_reference = @reference
    AND a.payment_service_id = @service AND a.kind IN ('authorize', 'capture')) named
JOIN transaction t ON t.merchant_account_id = @account AND t.id = named.id
ORDER BY t.id DESC LIMIT 1
