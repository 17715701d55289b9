-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "order_details" JSONB;
