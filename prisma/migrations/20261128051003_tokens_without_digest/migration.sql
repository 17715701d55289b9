-- By hand: the tokens from before digests, which background work completes.
CREATE INDEX CONCURRENTLY "payment_method_token_undigested_idx" ON "payment_method_token" ("merchant_account_id", "id")
    WHERE "token_digest" IS NULL;
