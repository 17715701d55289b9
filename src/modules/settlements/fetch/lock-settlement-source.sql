-- Locks the source of a payment service. The lock excludes all others who match or explain entries of the
-- service. Answers no row when the payment service has no source.
SELECT row_to_json(f) AS source FROM settlement_source f
WHERE f.merchant_account_id = @account::text AND f.payment_service_id = @service::uuid FOR NO KEY UPDATE
