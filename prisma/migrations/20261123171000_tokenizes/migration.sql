-- AlterTable
ALTER TABLE "operation" ADD COLUMN "tokenizes" BOOLEAN NOT NULL DEFAULT false;

-- By hand: a pending authorisation that is sent again repeats what its first sending asked for.
UPDATE "operation" o SET "tokenizes" = true
FROM "transaction" t, "payment_service" s
WHERE o."kind" = 'authorize' AND o."status" = 'pending'
    AND t."merchant_account_id" = o."merchant_account_id" AND t."id" = o."transaction_id" AND t."store"
    AND s."merchant_account_id" = o."merchant_account_id" AND s."id" = o."payment_service_id"
    AND s."definition_id" IN ('mockds-card', 'mock-instant-bank');
