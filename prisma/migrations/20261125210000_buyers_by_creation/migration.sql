-- By hand: lists of buyers have the order of creation, without deleted rows. A range of creation is then a range of the index.
CREATE INDEX CONCURRENTLY "buyer_created_idx" ON "buyer" ("merchant_account_id", "created_at", "id") WHERE "deleted_at" IS NULL;
