CREATE INDEX CONCURRENTLY "payment_link_creation_idx" ON "payment_link"("merchant_account_id", "created_at", "id", "status", "expires_at", "currency", "country", "amount");
