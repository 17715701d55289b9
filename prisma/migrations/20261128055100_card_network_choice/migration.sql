-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "card_network" TEXT;
