-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "increase_pending_amount" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "reauthorize_pending" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "reauthorized_at" TIMESTAMPTZ(3);

-- By hand from here: what the models cannot say.

-- The confirmed amount and the amount under way fit together. An authorisation has one change at a time. No release runs
-- beside a change, and no capture beside a re-authorisation.
ALTER TABLE "transaction"
    ADD CONSTRAINT "transaction_increase_check" CHECK (
        "increase_pending_amount" >= 0 AND "authorized_amount" + "increase_pending_amount" <= 99999999
    ),
    ADD CONSTRAINT "transaction_change_check" CHECK (
        NOT ("increase_pending_amount" > 0 AND "reauthorize_pending")
        AND NOT (("increase_pending_amount" > 0 OR "reauthorize_pending")
            AND ("void_pending" OR "authorized_at" IS NULL OR "status" = 'authorization_voided'))
        AND NOT ("reauthorize_pending" AND "captured_amount" + "capture_pending_amount" > 0)
    );

ALTER TABLE "operation"
    DROP CONSTRAINT "operation_kind_check",
    ADD CONSTRAINT "operation_kind_check" CHECK (
        "kind" IN ('authorize', 'increase', 'reauthorize', 'capture', 'refund', 'void', 'cancel', 'redeem', 'unredeem')
    ),
    ADD CONSTRAINT "operation_increase_check" CHECK ("kind" NOT IN ('increase', 'reauthorize') OR "amount" >= 1);

ALTER TABLE "ledger_entry"
    DROP CONSTRAINT "ledger_entry_kind_check",
    ADD CONSTRAINT "ledger_entry_kind_check" CHECK (
        "kind" IN ('authorize', 'increase', 'capture', 'refund', 'void', 'redeem', 'unredeem', 'gift_card_refund',
            'capture_reversal', 'refund_reversal', 'expire', 'dispute_loss', 'dispute_loss_reversal')
    );

-- At most one change of an authorisation is under way.
CREATE UNIQUE INDEX "operation_one_change_key" ON "operation" ("merchant_account_id", "transaction_id")
    WHERE "kind" IN ('increase', 'reauthorize') AND "status" = 'pending';

-- Names a re-authorisation by its noun, like the other operations.
CREATE OR REPLACE FUNCTION "audit_operation"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "noun" text := CASE NEW."kind" WHEN 'authorize' THEN 'authorization' WHEN 'reauthorize' THEN 'reauthorization'
        WHEN 'unredeem' THEN 'reversal' WHEN 'redeem' THEN 'redemption' ELSE NEW."kind" END;
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM "write_audit_entry"(NEW."merchant_account_id", "noun" || '.requested', 'transaction',
            NEW."transaction_id"::text, NULL, jsonb_strip_nulls(jsonb_build_object('operation_id', NEW."id", 'status', NEW."status",
                'amount', NEW."amount", 'currency', NEW."currency", 'payment_service_id', NEW."payment_service_id",
                'external_identifier', NEW."external_identifier", 'reason', NEW."reason")));
    ELSE
        PERFORM "write_audit_entry"(NEW."merchant_account_id", "noun" || '.' || NEW."status", 'transaction',
            NEW."transaction_id"::text,
            jsonb_build_object('operation_id', NEW."id", 'status', OLD."status", 'amount', OLD."amount"),
            jsonb_strip_nulls(jsonb_build_object('operation_id', NEW."id", 'status', NEW."status", 'amount', NEW."amount",
                'error_code', NEW."error_code")));
    END IF;
    RETURN NULL;
END
$$;
