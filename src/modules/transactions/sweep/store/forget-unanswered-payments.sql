-- Removes payments that a provider has answered about. Most answered payments have no row.
DELETE FROM unanswered_payment
WHERE merchant_account_id = @account::text AND payment_service_id = @service::uuid
  AND transaction_id = ANY (@payments::uuid[])
