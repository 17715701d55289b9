-- AlterTable
ALTER TABLE "dispute_response" ADD COLUMN     "payment_reference" TEXT;

-- By hand from here: what the models cannot say.

-- A repeat names the same payment as the first request.
UPDATE "dispute_response" r SET "payment_reference" = t."payment_service_transaction_id"
FROM "dispute" d
JOIN "transaction" t ON t."merchant_account_id" = d."merchant_account_id" AND t."id" = d."transaction_id"
WHERE r."status" = 'pending' AND d."merchant_account_id" = r."merchant_account_id" AND d."id" = r."dispute_id";

-- A stage of a dispute has at most one response whose outcome is not known.
DROP INDEX "dispute_response_pending_key";
CREATE UNIQUE INDEX "dispute_response_pending_key" ON "dispute_response" ("merchant_account_id", "dispute_id", "stage")
    WHERE "status" = 'pending';
