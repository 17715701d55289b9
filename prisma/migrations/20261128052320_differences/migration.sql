-- CreateTable
CREATE TABLE "difference" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "payment_service_id" UUID NOT NULL,
    "finding" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "operation_id" UUID,
    "kind" TEXT,
    "reported_amount" INTEGER,
    "reported_currency" TEXT,
    "made" JSONB,
    "state" TEXT NOT NULL DEFAULT 'open',
    "reason" TEXT,
    "found_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "difference_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateIndex
CREATE INDEX "difference_merchant_account_id_state_id_idx" ON "difference"("merchant_account_id", "state", "id");

-- CreateIndex
CREATE UNIQUE INDEX "difference_merchant_account_id_transaction_id_finding_subje_key" ON "difference"("merchant_account_id", "transaction_id", "finding", "subject");

-- AddForeignKey
ALTER TABLE "difference" ADD CONSTRAINT "difference_merchant_account_id_transaction_id_fkey" FOREIGN KEY ("merchant_account_id", "transaction_id") REFERENCES "transaction"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the models cannot say.

ALTER TABLE "difference"
    ADD CONSTRAINT "difference_state_check" CHECK (
        "state" IN ('open', 'adopted', 'dismissed', 'resolved') AND ("state" = 'open') = ("ended_at" IS NULL)
    ),
    ADD CONSTRAINT "difference_source_check" CHECK ("source" IN ('notice', 'look_up', 'settlement'));

-- The open differences of all merchant accounts, for the metrics and for later reports that end them.
CREATE INDEX "difference_open_idx" ON "difference" ("merchant_account_id", "transaction_id") WHERE "state" = 'open';

-- The audit log names the person who adopted or dismissed a difference.
CREATE TRIGGER "difference_audited" AFTER INSERT OR DELETE ON "difference"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('difference', 'difference', 'id',
        'transaction_id,payment_service_id,finding,source,subject,kind,reported_amount,reported_currency,state', '');
CREATE TRIGGER "difference_change_audited" AFTER UPDATE ON "difference"
    FOR EACH ROW WHEN (OLD."state" IS DISTINCT FROM NEW."state")
    EXECUTE FUNCTION "audit_change"('difference', 'difference', 'id', 'state,reason', '');
