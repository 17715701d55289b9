-- A report of a provider finds its token by the digest. The index also serves the look-ups by payment service.
CREATE INDEX CONCURRENTLY "payment_method_token_digest_idx" ON "payment_method_token"("merchant_account_id", "payment_service_id", "token_digest");
