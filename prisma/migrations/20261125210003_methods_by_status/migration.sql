-- By hand: a filter of lists, in the order of creation.
CREATE INDEX CONCURRENTLY "payment_method_status_idx"
    ON "payment_method" ("merchant_account_id", "status", "created_at", "id") WHERE "deleted_at" IS NULL;
