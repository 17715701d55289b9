-- Marks the past for the reports. The projection counts it in the background. The triggers are committed, so each later row has
-- its mark already, and this statement locks no table.
INSERT INTO "report_pending" ("merchant_account_id", "source", "id", "created_at")
SELECT t."merchant_account_id", 'transaction', t."id", t."created_at" FROM "transaction" t
WHERE NOT EXISTS (SELECT FROM "report_pending" p WHERE p."source" = 'transaction' AND p."id" = t."id");

INSERT INTO "report_pending" ("merchant_account_id", "source", "id", "created_at")
SELECT l."merchant_account_id", 'ledger_entry', l."id", l."created_at" FROM "ledger_entry" l
WHERE NOT EXISTS (SELECT FROM "report_pending" p WHERE p."source" = 'ledger_entry' AND p."id" = l."id");

INSERT INTO "report_pending" ("merchant_account_id", "source", "id", "created_at")
SELECT o."merchant_account_id", 'operation', o."id", coalesce(o."settled_at", o."updated_at") FROM "operation" o
WHERE o."kind" = 'authorize' AND o."status" IN ('declined', 'failed')
    AND NOT EXISTS (SELECT FROM "report_pending" p WHERE p."source" = 'operation' AND p."id" = o."id");
