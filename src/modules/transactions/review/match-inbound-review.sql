-- Reads the payment of a notice at its anti-fraud service, one row at most. Our key leads to the payment.
-- The reference of the fraud check counts only in a notice without a key.
SELECT row_to_json(t) AS transaction FROM transaction t
WHERE t.merchant_account_id = @account::text AND t.anti_fraud_service_id = @service::uuid
  AND t.id
    = coalesce(@key::uuid,
      (
        SELECT c.transaction_id FROM anti_fraud_check c
        WHERE c.merchant_account_id = @account AND c.anti_fraud_service_id = @service
          AND c.reference = @reference::text
        LIMIT 1))
