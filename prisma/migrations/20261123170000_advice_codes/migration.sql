-- AlterTable
ALTER TABLE "operation" ADD COLUMN "auth_response_code" TEXT,
ADD COLUMN "merchant_advice_code" TEXT;
