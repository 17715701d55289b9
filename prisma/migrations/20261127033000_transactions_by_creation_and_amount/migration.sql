-- The index of the order of creation gets the amount, so that a filter by amount reads the index alone.
CREATE INDEX CONCURRENTLY "transaction_creation_idx" ON "transaction"("merchant_account_id", "created_at", "id", "currency", "country", "method", "payment_source", "card_scheme", "payment_service_id", "merchant_initiated", "is_subsequent_payment", "card_country", "amount");
