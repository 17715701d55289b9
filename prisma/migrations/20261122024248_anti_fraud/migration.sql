-- CreateTable
CREATE TABLE "anti_fraud_service" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "definition_id" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "newer_interface_enabled" BOOLEAN NOT NULL DEFAULT false,
    "fields" JSONB NOT NULL,
    "sealed_fields" TEXT,
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "anti_fraud_service_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateTable
CREATE TABLE "anti_fraud_check" (
    "merchant_account_id" TEXT NOT NULL,
    "transaction_id" UUID NOT NULL,
    "anti_fraud_service_id" UUID NOT NULL,
    "interface_version" TEXT NOT NULL,
    "decision" TEXT NOT NULL DEFAULT 'pending',
    "cause" TEXT,
    "reference" TEXT,
    "raw_response_code" TEXT,
    "raw_response_description" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "anti_fraud_check_pkey" PRIMARY KEY ("merchant_account_id","transaction_id")
);

-- AddForeignKey
ALTER TABLE "anti_fraud_service" ADD CONSTRAINT "anti_fraud_service_merchant_account_id_fkey" FOREIGN KEY ("merchant_account_id") REFERENCES "merchant_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "anti_fraud_check" ADD CONSTRAINT "anti_fraud_check_merchant_account_id_transaction_id_fkey" FOREIGN KEY ("merchant_account_id", "transaction_id") REFERENCES "transaction"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "anti_fraud_check" ADD CONSTRAINT "anti_fraud_check_merchant_account_id_anti_fraud_service_id_fkey" FOREIGN KEY ("merchant_account_id", "anti_fraud_service_id") REFERENCES "anti_fraud_service"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the models cannot say.

-- A payment is checked by one service.
CREATE UNIQUE INDEX "anti_fraud_service_one_active_key" ON "anti_fraud_service" ("merchant_account_id")
    WHERE "active" AND "deleted_at" IS NULL;

ALTER TABLE "anti_fraud_check"
    ADD CONSTRAINT "anti_fraud_check_decision_check" CHECK (
        "decision" IN ('pending', 'accept', 'reject', 'review', 'error', 'exception', 'skipped')),
    ADD CONSTRAINT "anti_fraud_check_decided_check" CHECK (("decision" = 'pending') = ("decided_at" IS NULL)),
    -- Whoever did not answer has neither accepted nor rejected anything.
    ADD CONSTRAINT "anti_fraud_check_cause_check" CHECK ("cause" IS NULL OR "decision" = 'error');
