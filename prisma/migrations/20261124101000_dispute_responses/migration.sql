-- CreateTable
CREATE TABLE "dispute_response" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "dispute_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "stage" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "sealed_evidence" TEXT,
    "error_code" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 1,
    "next_attempt_at" TIMESTAMPTZ(3),
    "settled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dispute_response_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateIndex
CREATE INDEX "dispute_response_merchant_account_id_dispute_id_id_idx" ON "dispute_response"("merchant_account_id", "dispute_id", "id");

-- AddForeignKey
ALTER TABLE "dispute_response" ADD CONSTRAINT "dispute_response_merchant_account_id_dispute_id_fkey" FOREIGN KEY ("merchant_account_id", "dispute_id") REFERENCES "dispute"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the models cannot say.

ALTER TABLE "dispute_response"
    ADD CONSTRAINT "dispute_response_kind_check" CHECK ("kind" IN ('evidence', 'acceptance')),
    ADD CONSTRAINT "dispute_response_stage_check" CHECK ("stage" IN ('inquiry', 'chargeback', 'pre_arbitration')),
    ADD CONSTRAINT "dispute_response_status_check" CHECK (
        "status" IN ('pending', 'succeeded', 'failed')
        AND ("status" = 'pending') = ("next_attempt_at" IS NOT NULL)
        AND ("status" = 'pending') = ("settled_at" IS NULL)
        AND ("status" = 'failed') = ("error_code" IS NOT NULL)
    ),
    -- Evidence holds personal data of the buyer, and no later step needs it.
    ADD CONSTRAINT "dispute_response_sealed_check" CHECK (
        ("sealed_evidence" IS NOT NULL) = ("status" = 'pending' AND "kind" = 'evidence')
    );

-- A dispute has at most one response whose outcome is not known.
CREATE UNIQUE INDEX "dispute_response_pending_key" ON "dispute_response" ("merchant_account_id", "dispute_id")
    WHERE "status" = 'pending';

CREATE INDEX "dispute_response_due_idx" ON "dispute_response" ("next_attempt_at") WHERE "status" = 'pending';

-- The audit log shows who responded, and the outcome.
CREATE TRIGGER "dispute_response_audited" AFTER INSERT OR DELETE ON "dispute_response"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('dispute-response', 'dispute', 'dispute_id', 'kind,stage,status', 'sealed_evidence');
CREATE TRIGGER "dispute_response_change_audited" AFTER UPDATE ON "dispute_response"
    FOR EACH ROW WHEN (OLD."status" IS DISTINCT FROM NEW."status")
    EXECUTE FUNCTION "audit_change"('dispute-response', 'dispute', 'dispute_id', 'status,error_code', 'sealed_evidence');
