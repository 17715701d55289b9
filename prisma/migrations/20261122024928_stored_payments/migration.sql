-- AlterTable
ALTER TABLE "inbound_webhook" ADD COLUMN     "sealed_token" TEXT;

-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "buyer_id" UUID,
ADD COLUMN     "payment_method_id" UUID,
ADD COLUMN     "previous_scheme_transaction_id" TEXT,
ADD COLUMN     "scheme_transaction_id" TEXT;

-- AddForeignKey
ALTER TABLE "transaction" ADD CONSTRAINT "transaction_merchant_account_id_buyer_id_fkey" FOREIGN KEY ("merchant_account_id", "buyer_id") REFERENCES "buyer"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transaction" ADD CONSTRAINT "transaction_merchant_account_id_payment_method_id_fkey" FOREIGN KEY ("merchant_account_id", "payment_method_id") REFERENCES "payment_method"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand: what the models cannot say.
ALTER TABLE "transaction"
    DROP CONSTRAINT "transaction_instrument_type_check",
    ADD CONSTRAINT "transaction_instrument_type_check" CHECK ("instrument_type" IN ('pan', 'redirect', 'redirect_token'));
-- A token is kept only until it is where it belongs.
ALTER TABLE "inbound_webhook"
    ADD CONSTRAINT "inbound_webhook_token_check" CHECK ("sealed_token" IS NULL OR "state" = 'parked');
