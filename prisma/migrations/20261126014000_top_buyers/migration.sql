-- CreateTable
CREATE TABLE "report_buyer" (
    "merchant_account_id" TEXT NOT NULL,
    "grain" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "buyer_id" UUID NOT NULL,
    "captured_count" BIGINT NOT NULL,
    "captured_amount" BIGINT NOT NULL,

    CONSTRAINT "report_buyer_pkey" PRIMARY KEY ("merchant_account_id","grain","starts_at","currency","buyer_id")
);

-- CreateIndex
CREATE INDEX "report_buyer_by_amount" ON "report_buyer"("merchant_account_id", "grain", "starts_at", "currency", "captured_amount" DESC, "buyer_id");

-- By hand from here: what the models cannot say.

ALTER TABLE "report_buyer"
    ADD CONSTRAINT "report_buyer_grain_check" CHECK ("grain" IN ('day', 'month', 'year'));

-- The captures that the reports have counted already. The lock waits for the commit of a projection, and excludes further ones.
-- Processes of an earlier version add no sums of buyers. After an upgrade without a stop, run `paygraph rebuild-reports --write`.
SELECT pg_advisory_xact_lock(7020584530100317);

INSERT INTO "report_buyer" ("merchant_account_id", "grain", "starts_at", "currency", "buyer_id", "captured_count", "captured_amount")
SELECT l."merchant_account_id", g."grain", date_trunc(g."grain", l."created_at", 'UTC'), l."currency", t."buyer_id", count(*), sum(l."amount")
FROM "ledger_entry" l
JOIN "transaction" t ON t."merchant_account_id" = l."merchant_account_id" AND t."id" = l."transaction_id"
CROSS JOIN (VALUES ('day'), ('month'), ('year')) AS g ("grain")
WHERE l."kind" = 'capture' AND t."buyer_id" IS NOT NULL
    AND NOT EXISTS (SELECT FROM "report_pending" p WHERE p."source" = 'ledger_entry' AND p."id" = l."id")
GROUP BY 1, 2, 3, 4, 5;
