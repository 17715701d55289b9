-- AlterTable
ALTER TABLE "operation" ADD COLUMN     "accepted_again_at" TIMESTAMPTZ(3);
