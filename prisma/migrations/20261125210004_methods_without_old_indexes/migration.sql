-- DropIndex
DROP INDEX "payment_method_merchant_account_id_method_id_idx";

-- DropIndex
DROP INDEX "payment_method_merchant_account_id_status_id_idx";
