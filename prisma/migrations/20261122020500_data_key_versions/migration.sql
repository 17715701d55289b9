-- DropIndex
DROP INDEX "data_key_merchant_account_id_purpose_key";

-- AlterTable
ALTER TABLE "data_key" ADD COLUMN     "retired_at" TIMESTAMPTZ(3),
ADD COLUMN     "rotation_id" UUID,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- CreateIndex
CREATE UNIQUE INDEX "data_key_merchant_account_id_purpose_version_key" ON "data_key"("merchant_account_id", "purpose", "version");
