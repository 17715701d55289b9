-- AlterTable
ALTER TABLE "webhook_endpoint" ADD COLUMN     "created_gaps" BIGINT[] DEFAULT ARRAY[]::BIGINT[];
