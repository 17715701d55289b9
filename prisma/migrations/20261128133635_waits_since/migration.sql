-- DropIndex
DROP INDEX "difference_merchant_account_id_transaction_id_finding_subje_key";

-- AlterTable
ALTER TABLE "inbound_webhook" ADD COLUMN     "waits_since" TIMESTAMPTZ(3);

-- CreateIndex
CREATE UNIQUE INDEX "difference_merchant_account_id_transaction_id_finding_sourc_key" ON "difference"("merchant_account_id", "transaction_id", "finding", "source", "subject");
