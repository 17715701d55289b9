-- AlterTable
ALTER TABLE "inbound_webhook" ADD COLUMN     "turn_until" TIMESTAMPTZ(3);

-- By hand from here: what the models cannot say.

-- Each webhook looks for older webhooks of its operation. Without this index, each would read all parked webhooks of the service.
CREATE INDEX "inbound_webhook_operation_idx" ON "inbound_webhook" ("merchant_account_id", "payment_service_id", "operation_id")
    WHERE "turn_until" IS NOT NULL AND "operation_id" IS NOT NULL;
