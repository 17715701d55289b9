-- AlterTable
ALTER TABLE "dispute_response" ADD COLUMN     "idempotency_key" TEXT,
ADD COLUMN     "provider_key" UUID,
ADD COLUMN     "unclear_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE UNIQUE INDEX "dispute_response_merchant_account_id_provider_key_key" ON "dispute_response"("merchant_account_id", "provider_key");

-- By hand from here: what the models cannot say.

-- A response that was sent before has had no clear answer.
UPDATE "dispute_response" SET "unclear_at" = "created_at" WHERE "status" = 'pending' AND "attempts" > 1;
