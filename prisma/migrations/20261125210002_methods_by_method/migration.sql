-- By hand: a filter of lists, in the order of creation.
CREATE INDEX CONCURRENTLY "payment_method_method_idx"
    ON "payment_method" ("merchant_account_id", "method", "created_at", "id") WHERE "deleted_at" IS NULL;
