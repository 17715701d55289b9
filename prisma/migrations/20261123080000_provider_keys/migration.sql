-- AlterTable
ALTER TABLE "operation" ADD COLUMN     "provider_key" UUID;

-- CreateIndex
CREATE UNIQUE INDEX "operation_merchant_account_id_provider_key_key" ON "operation"("merchant_account_id", "provider_key");
