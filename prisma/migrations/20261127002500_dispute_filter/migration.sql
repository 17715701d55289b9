-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "disputed" BOOLEAN NOT NULL DEFAULT false;

-- By hand: payments with disputes are rare, so the index holds them alone.
UPDATE "transaction" t SET "disputed" = true
WHERE EXISTS (
    SELECT FROM "dispute" d
    WHERE d."merchant_account_id" = t."merchant_account_id" AND d."transaction_id" = t."id" AND d."stage" <> 'inquiry'
);
CREATE INDEX "transaction_disputed_idx" ON "transaction" ("merchant_account_id", "created_at", "id") WHERE "disputed";
