-- Reads the payment that a dispute is about, by our key of the operation, and at most 50 rows. A dispute is
-- about money that a capture or a sale took.
-- - An operation's id is its key, unless the operation has a provider key.
-- - `named` is null unless the operation succeeded. `authorization` is the payment's latest successful
--   authorisation at the payment service.
-- - Unsent operations match nothing, because no provider knows them.
SELECT row_to_json(t) AS transaction, found.named, a.id AS authorization
FROM (
  SELECT o.merchant_account_id, o.transaction_id, CASE WHEN o.status = 'succeeded' THEN o.id END AS named
  FROM operation o
  WHERE o.merchant_account_id = @account::text
    AND (o.id = @key::uuid AND o.provider_key IS NULL OR o.provider_key = @key)
    AND o.payment_service_id = @service::uuid AND o.kind IN ('authorize', 'capture') AND NOT o.unsent) found
JOIN transaction t ON t.merchant_account_id = found.merchant_account_id AND t.id = found.transaction_id
LEFT JOIN LATERAL (
  SELECT o.id FROM operation o
  WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id AND o.kind = 'authorize'
    AND o.payment_service_id = @service AND o.status = 'succeeded'
  ORDER BY o.id DESC LIMIT 1) a ON true
LIMIT 50
