-- By hand: the confirmed increases of earlier payments. Few payments have any.
UPDATE "transaction" t SET "increased_amount" = i."amount"
FROM (
    SELECT "merchant_account_id", "transaction_id", sum("amount") AS "amount" FROM "operation"
    WHERE "kind" = 'increase' AND "status" = 'succeeded' GROUP BY 1, 2
) i
WHERE t."merchant_account_id" = i."merchant_account_id" AND t."id" = i."transaction_id"
    AND t."increased_amount" <> i."amount";

-- Validates the checks under a lock that lets payments go on.
ALTER TABLE "transaction" VALIDATE CONSTRAINT "transaction_gift_cards_check";
ALTER TABLE "transaction" VALIDATE CONSTRAINT "transaction_increased_check";
