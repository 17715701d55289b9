-- AlterTable
ALTER TABLE "operation" ADD COLUMN     "network_response_code" TEXT;
