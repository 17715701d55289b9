-- DropIndex
DROP INDEX "payment_method_merchant_account_id_method_id_idx";

-- DropIndex
DROP INDEX "payment_method_merchant_account_id_status_id_idx";

-- By hand: lists of buyers and payment methods have the order of creation, without deleted rows. A range of creation is then a
-- range of an index. The index also answers the common filters without the rows.

CREATE INDEX "buyer_created_idx" ON "buyer" ("merchant_account_id", "created_at", "id") WHERE "deleted_at" IS NULL;

CREATE INDEX "payment_method_created_idx" ON "payment_method" ("merchant_account_id", "created_at", "id", "method", "status")
    WHERE "deleted_at" IS NULL;
CREATE INDEX "payment_method_method_idx" ON "payment_method" ("merchant_account_id", "method", "created_at", "id")
    WHERE "deleted_at" IS NULL;
CREATE INDEX "payment_method_status_idx" ON "payment_method" ("merchant_account_id", "status", "created_at", "id")
    WHERE "deleted_at" IS NULL;
