-- Each delivery is written three times: made, leased, settled. Every index that is not partial is written as often, so that
-- there are two of them: one that finds a delivery by its endpoint, one by its event.

-- DropForeignKey
ALTER TABLE "delivery_attempt" DROP CONSTRAINT "delivery_attempt_merchant_account_id_endpoint_id_position_fkey";

-- DropIndex
DROP INDEX "delivery_endpoint_id_state_position_idx";

-- DropIndex
DROP INDEX "delivery_merchant_account_id_endpoint_id_position_key";

-- DropIndex
DROP INDEX "delivery_position_idx";

-- AlterTable
ALTER TABLE "delivery" DROP CONSTRAINT "delivery_pkey",
ADD CONSTRAINT "delivery_pkey" PRIMARY KEY ("merchant_account_id", "endpoint_id", "position");

-- CreateIndex
CREATE INDEX "delivery_position_endpoint_id_idx" ON "delivery"("position", "endpoint_id");

-- AddForeignKey
ALTER TABLE "delivery_attempt" ADD CONSTRAINT "delivery_attempt_merchant_account_id_endpoint_id_position_fkey" FOREIGN KEY ("merchant_account_id", "endpoint_id", "position") REFERENCES "delivery"("merchant_account_id", "endpoint_id", "position") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand: lists of the states that are rare among millions of delivered ones.
CREATE INDEX "delivery_undelivered_idx" ON "delivery" ("endpoint_id", "state", "position")
    WHERE "state" IN ('pending', 'expired', 'cancelled');
