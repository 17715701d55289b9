-- By hand: lists of payment methods have the order of creation, too. The index also answers the common filters without the rows.
CREATE INDEX CONCURRENTLY "payment_method_created_idx"
    ON "payment_method" ("merchant_account_id", "created_at", "id", "method", "status") WHERE "deleted_at" IS NULL;
