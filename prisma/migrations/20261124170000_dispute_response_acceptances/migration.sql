-- AlterTable
ALTER TABLE "dispute_response" ADD COLUMN     "accepted_at" TIMESTAMPTZ(3);
