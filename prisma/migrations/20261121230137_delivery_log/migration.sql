-- DropIndex
DROP INDEX "delivery_attempt_merchant_account_id_endpoint_id_position_idx";

-- CreateIndex
CREATE INDEX "delivery_endpoint_id_state_position_idx" ON "delivery"("endpoint_id", "state", "position");

-- CreateIndex
CREATE INDEX "delivery_attempt_merchant_account_id_endpoint_id_position_n_idx" ON "delivery_attempt"("merchant_account_id", "endpoint_id", "position", "number");
