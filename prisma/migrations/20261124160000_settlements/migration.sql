-- CreateTable
CREATE TABLE "settlement" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "payment_service_id" UUID NOT NULL,
    "reference" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "key" TEXT,
    "operation_reference" TEXT,
    "payment_reference" TEXT,
    "dispute_reference" TEXT,
    "payout_reference" TEXT,
    "gross" BIGINT NOT NULL,
    "fee" BIGINT NOT NULL,
    "net" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "original_amount" BIGINT,
    "original_currency" TEXT,
    "exchange_rate" TEXT,
    "settled_on" DATE NOT NULL,
    "transaction_id" UUID,
    "operation_id" UUID,
    "dispute_id" UUID,
    "ledger_entry_id" UUID,
    "difference" TEXT,
    "explanation" TEXT,
    "explained_at" TIMESTAMPTZ(3),
    "rematch_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "settlement_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateTable
CREATE TABLE "settlement_source" (
    "merchant_account_id" TEXT NOT NULL,
    "payment_service_id" UUID NOT NULL,
    "cursor" TEXT,
    "next_fetch_at" TIMESTAMPTZ(3) NOT NULL,
    "fetched_at" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failure" TEXT,
    "failure_reason" TEXT,
    "failed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "settlement_source_pkey" PRIMARY KEY ("merchant_account_id","payment_service_id")
);

-- CreateIndex
CREATE INDEX "settlement_merchant_account_id_kind_id_idx" ON "settlement"("merchant_account_id", "kind", "id");

-- CreateIndex
CREATE INDEX "settlement_merchant_account_id_transaction_id_id_idx" ON "settlement"("merchant_account_id", "transaction_id", "id");

-- CreateIndex
CREATE INDEX "settlement_merchant_account_id_payment_service_id_payout_re_idx" ON "settlement"("merchant_account_id", "payment_service_id", "payout_reference", "id");

-- CreateIndex
CREATE UNIQUE INDEX "settlement_merchant_account_id_payment_service_id_reference_key" ON "settlement"("merchant_account_id", "payment_service_id", "reference");

-- CreateIndex
CREATE UNIQUE INDEX "settlement_merchant_account_id_ledger_entry_id_key" ON "settlement"("merchant_account_id", "ledger_entry_id");

-- CreateIndex
CREATE INDEX "settlement_source_next_fetch_at_idx" ON "settlement_source"("next_fetch_at");

-- AddForeignKey
ALTER TABLE "settlement" ADD CONSTRAINT "settlement_merchant_account_id_payment_service_id_fkey" FOREIGN KEY ("merchant_account_id", "payment_service_id") REFERENCES "payment_service"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "settlement" ADD CONSTRAINT "settlement_merchant_account_id_transaction_id_fkey" FOREIGN KEY ("merchant_account_id", "transaction_id") REFERENCES "transaction"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "settlement" ADD CONSTRAINT "settlement_merchant_account_id_operation_id_fkey" FOREIGN KEY ("merchant_account_id", "operation_id") REFERENCES "operation"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "settlement" ADD CONSTRAINT "settlement_merchant_account_id_dispute_id_fkey" FOREIGN KEY ("merchant_account_id", "dispute_id") REFERENCES "dispute"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "settlement" ADD CONSTRAINT "settlement_merchant_account_id_ledger_entry_id_fkey" FOREIGN KEY ("merchant_account_id", "ledger_entry_id") REFERENCES "ledger_entry"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "settlement_source" ADD CONSTRAINT "settlement_source_merchant_account_id_payment_service_id_fkey" FOREIGN KEY ("merchant_account_id", "payment_service_id") REFERENCES "payment_service"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the models cannot say.

ALTER TABLE "settlement"
    ADD CONSTRAINT "settlement_kind_check" CHECK (
        "kind" IN ('charge', 'refund', 'reversal', 'chargeback', 'chargeback_reversal', 'fee', 'payout', 'payout_reversal',
            'adjustment')
    ),
    ADD CONSTRAINT "settlement_net_check" CHECK ("gross" - "fee" = "net"),
    ADD CONSTRAINT "settlement_sign_check" CHECK (
        CASE "kind"
            WHEN 'charge' THEN "gross" >= 0
            WHEN 'chargeback_reversal' THEN "gross" >= 0
            WHEN 'refund' THEN "gross" <= 0
            WHEN 'chargeback' THEN "gross" <= 0
            ELSE true
        END
    ),
    ADD CONSTRAINT "settlement_currency_check" CHECK (
        "currency" ~ '^[A-Z]{3}$' AND coalesce("original_currency", 'XXX') ~ '^[A-Z]{3}$'
    ),
    ADD CONSTRAINT "settlement_original_check" CHECK (
        ("original_amount" IS NULL) = ("original_currency" IS NULL) AND coalesce("original_amount", 0) >= 0
    ),
    ADD CONSTRAINT "settlement_rate_check" CHECK ("exchange_rate" ~ '^\d{1,12}(\.\d{1,18})?$'),
    ADD CONSTRAINT "settlement_difference_check" CHECK (
        "difference" IN ('no_such_operation', 'no_such_dispute', 'operation_not_succeeded', 'other_amount', 'other_currency',
            'already_settled', 'adjustment')
    ),
    -- A booking is settled only by an entry that fits.
    ADD CONSTRAINT "settlement_match_check" CHECK ("ledger_entry_id" IS NULL OR "difference" IS NULL),
    -- Each charge, refund and reversal settles a booking, each chargeback is of a dispute, or there is a difference.
    ADD CONSTRAINT "settlement_matched_check" CHECK (
        CASE
            WHEN "difference" IS NOT NULL THEN true
            WHEN "kind" IN ('charge', 'refund', 'reversal') THEN "ledger_entry_id" IS NOT NULL
            WHEN "kind" IN ('chargeback', 'chargeback_reversal') THEN "dispute_id" IS NOT NULL
            ELSE "kind" <> 'adjustment'
        END
    ),
    ADD CONSTRAINT "settlement_explained_check" CHECK (
        ("explanation" IS NULL) = ("explained_at" IS NULL)
        AND ("explanation" IS NULL OR "difference" IS NOT NULL)
        AND ("rematch_at" IS NULL OR ("difference" IS NOT NULL AND "explanation" IS NULL))
    );

ALTER TABLE "settlement_source"
    ADD CONSTRAINT "settlement_source_failure_check" CHECK (
        "failure" IN ('refused', 'unavailable', 'unreadable')
        AND "failures" >= 0
    ),
    ADD CONSTRAINT "settlement_source_failed_check" CHECK (
        ("failures" > 0) = ("failure" IS NOT NULL)
        AND ("failures" > 0) = ("failed_at" IS NOT NULL)
        AND ("failure_reason" IS NULL OR "failures" > 0)
    );

CREATE INDEX "settlement_difference_idx" ON "settlement" ("merchant_account_id", "id") WHERE "difference" IS NOT NULL;
CREATE INDEX "settlement_rematch_idx" ON "settlement" ("rematch_at") WHERE "rematch_at" IS NOT NULL;
CREATE INDEX "settlement_dispute_idx" ON "settlement" ("merchant_account_id", "dispute_id") WHERE "dispute_id" IS NOT NULL;
CREATE INDEX "payment_service_settling_idx" ON "payment_service" ("merchant_account_id", "id")
    WHERE "settlement_reporting_enabled" AND "deleted_at" IS NULL;

-- The audit log shows who explained a difference, and its end.
CREATE TRIGGER "settlement_change_audited" AFTER UPDATE ON "settlement"
    FOR EACH ROW WHEN ((OLD."difference", OLD."explanation") IS DISTINCT FROM (NEW."difference", NEW."explanation"))
    EXECUTE FUNCTION "audit_change"('settlement', 'settlement', 'id', 'difference,explanation', '');
