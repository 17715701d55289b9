-- Reads at most 50 payments that a dispute may be about, by the provider's references, in no order. A
-- dispute is about money that a capture or a sale took.
-- - `named` is the authorisation or capture with such a reference, and null unless the operation succeeded.
--   A match by the payment's own reference names no operation.
-- - `authorization` is the latest successful authorisation of the payment at the payment service.
-- - Unsent operations match nothing, because no provider knows them.
-- - COLLATE "C" fits the index of the payments' references.
SELECT row_to_json(t) AS transaction, found.named, a.id AS authorization
FROM (
  SELECT t.merchant_account_id, t.id AS transaction_id, NULL::uuid AS named FROM transaction t
  WHERE t.merchant_account_id = @account::text AND t.payment_service_id = @service::uuid
    AND t.payment_service_transaction_id COLLATE "C" = ANY (@references::text[])
  UNION
  SELECT o.merchant_account_id, o.transaction_id, CASE WHEN o.status = 'succeeded' THEN o.id END
  FROM operation o
  WHERE o.merchant_account_id = @account AND o.provider_reference = ANY (@references::text[])
    AND o.payment_service_id = @service AND o.kind IN ('authorize', 'capture') AND NOT o.unsent) found
JOIN transaction t ON t.merchant_account_id = found.merchant_account_id AND t.id = found.transaction_id
LEFT JOIN LATERAL (
  SELECT o.id FROM operation o
  WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id AND o.kind = 'authorize'
    AND o.payment_service_id = @service AND o.status = 'succeeded'
  ORDER BY o.id DESC LIMIT 1) a ON true
LIMIT 50
