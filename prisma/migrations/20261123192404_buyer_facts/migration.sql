-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "browser_info" JSONB,
ADD COLUMN     "ip_address" TEXT,
ADD COLUMN     "merchant_reference" TEXT;
