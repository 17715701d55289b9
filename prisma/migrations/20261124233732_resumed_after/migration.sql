-- AlterTable
ALTER TABLE "approval" ADD COLUMN     "resumed_after" INTEGER;
