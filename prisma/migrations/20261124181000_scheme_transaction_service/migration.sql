-- AlterTable
ALTER TABLE "payment_method" ADD COLUMN     "scheme_transaction_service_id" UUID;

-- AddForeignKey
ALTER TABLE "payment_method" ADD CONSTRAINT "payment_method_merchant_account_id_scheme_transaction_serv_fkey" FOREIGN KEY ("merchant_account_id", "scheme_transaction_service_id") REFERENCES "payment_service"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand: the payment that brought the id to the payment method names the service.
UPDATE "payment_method" m SET "scheme_transaction_service_id" = (
    SELECT t."payment_service_id" FROM "transaction" t
    WHERE t."merchant_account_id" = m."merchant_account_id" AND t."payment_method_id" = m."id"
        AND t."scheme_transaction_id" = m."scheme_transaction_id"
    ORDER BY t."id" LIMIT 1)
WHERE m."scheme_transaction_id" IS NOT NULL;
