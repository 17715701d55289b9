-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "dispute_lost_amount" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "open_disputes" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "dispute" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "operation_id" UUID,
    "payment_service_id" UUID NOT NULL,
    "provider_reference" TEXT NOT NULL,
    "stage" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "reason_code" TEXT,
    "amount" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "lost_amount" INTEGER NOT NULL DEFAULT 0,
    "respond_by" TIMESTAMPTZ(3),
    "reported_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dispute_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateIndex
CREATE INDEX "dispute_merchant_account_id_transaction_id_id_idx" ON "dispute"("merchant_account_id", "transaction_id", "id");

-- CreateIndex
CREATE INDEX "dispute_merchant_account_id_status_id_idx" ON "dispute"("merchant_account_id", "status", "id");

-- CreateIndex
CREATE UNIQUE INDEX "dispute_merchant_account_id_payment_service_id_provider_ref_key" ON "dispute"("merchant_account_id", "payment_service_id", "provider_reference");

-- AddForeignKey
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_merchant_account_id_transaction_id_fkey" FOREIGN KEY ("merchant_account_id", "transaction_id") REFERENCES "transaction"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_merchant_account_id_operation_id_fkey" FOREIGN KEY ("merchant_account_id", "operation_id") REFERENCES "operation"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_merchant_account_id_payment_service_id_fkey" FOREIGN KEY ("merchant_account_id", "payment_service_id") REFERENCES "payment_service"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the models cannot say.

ALTER TABLE "dispute"
    ADD CONSTRAINT "dispute_stage_check" CHECK ("stage" IN ('inquiry', 'chargeback', 'pre_arbitration')),
    ADD CONSTRAINT "dispute_status_check" CHECK (
        "status" IN ('needs_response', 'under_review', 'expired', 'won', 'lost', 'accepted', 'closed')
    ),
    ADD CONSTRAINT "dispute_reason_check" CHECK (
        "reason" IN ('fraudulent', 'unrecognized', 'duplicate', 'incorrect_amount', 'product_not_received',
            'product_unacceptable', 'subscription_canceled', 'credit_not_processed', 'processing_error', 'general')
    ),
    ADD CONSTRAINT "dispute_amount_check" CHECK ("amount" BETWEEN 1 AND 99999999),
    ADD CONSTRAINT "dispute_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$'),
    -- A loss is booked to an operation that captured money.
    ADD CONSTRAINT "dispute_lost_check" CHECK (
        "lost_amount" = 0 OR ("lost_amount" BETWEEN 1 AND 99999999 AND "operation_id" IS NOT NULL)
    );

-- A dispute takes at most what was captured. A later reversal of a capture may leave more lost than captured.
ALTER TABLE "transaction"
    ADD CONSTRAINT "transaction_disputes_check" CHECK (
        "open_disputes" >= 0 AND "dispute_lost_amount" BETWEEN 0 AND "captured_amount" + "capture_reversed_amount"
    );

ALTER TABLE "ledger_entry"
    DROP CONSTRAINT "ledger_entry_kind_check",
    ADD CONSTRAINT "ledger_entry_kind_check" CHECK (
        "kind" IN ('authorize', 'capture', 'refund', 'void', 'redeem', 'unredeem', 'gift_card_refund', 'capture_reversal',
            'refund_reversal', 'expire', 'dispute_loss', 'dispute_loss_reversal')
    ),
    DROP CONSTRAINT "ledger_entry_reversal_check",
    ADD CONSTRAINT "ledger_entry_reversal_check" CHECK (
        ("reversal_key" <> '') =
            ("kind" IN ('capture_reversal', 'refund_reversal', 'dispute_loss', 'dispute_loss_reversal'))
    );

-- The audit log shows each change of a dispute.
CREATE TRIGGER "dispute_audited" AFTER INSERT OR DELETE ON "dispute"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('dispute', 'dispute', 'id', 'transaction_id,payment_service_id,provider_reference,stage,status,reason,reason_code,amount,currency,lost_amount,respond_by', '');
CREATE TRIGGER "dispute_change_audited" AFTER UPDATE ON "dispute"
    FOR EACH ROW WHEN ((OLD."stage", OLD."status", OLD."reason", OLD."reason_code", OLD."amount", OLD."currency", OLD."lost_amount", OLD."respond_by") IS DISTINCT FROM (NEW."stage", NEW."status", NEW."reason", NEW."reason_code", NEW."amount", NEW."currency", NEW."lost_amount", NEW."respond_by"))
    EXECUTE FUNCTION "audit_change"('dispute', 'dispute', 'id', 'stage,status,reason,reason_code,amount,currency,lost_amount,respond_by', '');
