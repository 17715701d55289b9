-- DropIndex
DROP INDEX "ledger_entry_merchant_account_id_operation_id_kind_key";

-- AlterTable
ALTER TABLE "ledger_entry" ADD COLUMN     "reversal_key" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "operation" ADD COLUMN     "reversals" JSONB,
ADD COLUMN     "reversed_amount" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "capture_reversed_amount" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "expired_at" TIMESTAMPTZ(3),
ADD COLUMN     "refund_reversed_amount" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE UNIQUE INDEX "ledger_entry_merchant_account_id_operation_id_kind_reversal_key" ON "ledger_entry"("merchant_account_id", "operation_id", "kind", "reversal_key");

-- By hand from here: what the models cannot say.

-- An operation is taken back at most as far as it succeeded. Only money that moved can be taken back.
ALTER TABLE "operation"
    ADD CONSTRAINT "operation_reversed_check" CHECK (
        "reversed_amount" = 0
        OR ("status" = 'succeeded' AND "kind" IN ('authorize', 'capture', 'refund') AND "redemption_id" IS NULL
            AND "reversed_amount" BETWEEN 1 AND "amount" AND "reversals" IS NOT NULL)
    );

-- A refund is claimed against the captured amount. A later reversal of a capture may leave more refunded than captured.
ALTER TABLE "transaction"
    DROP CONSTRAINT "transaction_refunded_check",
    ADD CONSTRAINT "transaction_refunded_check" CHECK (
        "refunded_amount" + "refund_pending_amount" <= "captured_amount" + "capture_reversed_amount"
    ),
    ADD CONSTRAINT "transaction_reversed_check" CHECK (
        "capture_reversed_amount" BETWEEN 0 AND 99999999 AND "refund_reversed_amount" BETWEEN 0 AND 99999999
    ),
    ADD CONSTRAINT "transaction_expired_check" CHECK (
        "expired_at" IS NULL OR ("status" IN ('authorization_voided', 'capture_succeeded') AND "capture_closed")
    );

ALTER TABLE "ledger_entry"
    DROP CONSTRAINT "ledger_entry_kind_check",
    ADD CONSTRAINT "ledger_entry_kind_check" CHECK (
        "kind" IN ('authorize', 'capture', 'refund', 'void', 'redeem', 'unredeem', 'gift_card_refund', 'capture_reversal',
            'refund_reversal', 'expire')
    ),
    ADD CONSTRAINT "ledger_entry_reversal_check" CHECK (
        ("reversal_key" <> '') = ("kind" IN ('capture_reversal', 'refund_reversal'))
    );

-- Writes the entry of a success that a provider took back.
CREATE FUNCTION "audit_reversal"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "write_audit_entry"(NEW."merchant_account_id",
        CASE NEW."kind" WHEN 'refund' THEN 'refund' ELSE 'capture' END || '.reversed', 'transaction', NEW."transaction_id"::text,
        jsonb_build_object('operation_id', NEW."id", 'reversed_amount', OLD."reversed_amount"),
        jsonb_build_object('operation_id', NEW."id", 'reversed_amount', NEW."reversed_amount"));
    RETURN NULL;
END
$$;

CREATE TRIGGER "operation_reversal_audited" AFTER UPDATE ON "operation"
    FOR EACH ROW WHEN (OLD."reversed_amount" IS DISTINCT FROM NEW."reversed_amount") EXECUTE FUNCTION "audit_reversal"();

-- Writes the entry of an authorisation whose expiry a provider reported.
CREATE FUNCTION "audit_expiry"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "write_audit_entry"(NEW."merchant_account_id", 'authorization.expired', 'transaction', NEW."id"::text,
        jsonb_build_object('status', OLD."status"), jsonb_build_object('status', NEW."status"));
    RETURN NULL;
END
$$;

CREATE TRIGGER "transaction_expiry_audited" AFTER UPDATE ON "transaction"
    FOR EACH ROW WHEN (OLD."expired_at" IS DISTINCT FROM NEW."expired_at") EXECUTE FUNCTION "audit_expiry"();
