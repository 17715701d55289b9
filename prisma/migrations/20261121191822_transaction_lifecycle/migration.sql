-- AlterTable
ALTER TABLE "operation" ADD COLUMN     "accepted_at" TIMESTAMPTZ(3),
ADD COLUMN     "choice" TEXT,
ADD COLUMN     "final" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "payment_service_id" UUID,
ADD COLUMN     "sent_at" TIMESTAMPTZ(3),
ADD COLUMN     "unknown_at" TIMESTAMPTZ(3),
ADD COLUMN     "unknown_cause" TEXT;

-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "anti_fraud_fingerprint" TEXT,
ADD COLUMN     "approval_expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "canceled_at" TIMESTAMPTZ(3),
ADD COLUMN     "capture_closed" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "captures_accepted" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "cart_items" JSONB,
ADD COLUMN     "connection_options" JSONB,
ADD COLUMN     "installment_count" INTEGER,
ADD COLUMN     "integration_client" TEXT,
ADD COLUMN     "over_capture_allowance" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "redirect_url" TEXT,
ADD COLUMN     "shipping_details" JSONB,
ADD COLUMN     "statement_descriptor" JSONB,
ADD COLUMN     "store" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "three_d_secure_amount" INTEGER;

-- Operations that were there before: asked of the transaction's service, sent when they were made.
UPDATE "operation" o SET "sent_at" = o."created_at", "payment_service_id" = t."payment_service_id",
    "choice" = CASE WHEN o."kind" = 'authorize' THEN 'first' END
FROM "transaction" t WHERE t."merchant_account_id" = o."merchant_account_id" AND t."id" = o."transaction_id";
ALTER TABLE "operation" ALTER COLUMN "sent_at" SET NOT NULL, ALTER COLUMN "payment_service_id" SET NOT NULL;
UPDATE "transaction" SET "capture_closed" = true
WHERE "captured_amount" + "capture_pending_amount" > 0;

-- CreateTable
CREATE TABLE "history_entry" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "context" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "history_entry_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateIndex
CREATE INDEX "history_entry_merchant_account_id_transaction_id_id_idx" ON "history_entry"("merchant_account_id", "transaction_id", "id");

-- AddForeignKey
ALTER TABLE "operation" ADD CONSTRAINT "operation_merchant_account_id_payment_service_id_fkey" FOREIGN KEY ("merchant_account_id", "payment_service_id") REFERENCES "payment_service"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "history_entry" ADD CONSTRAINT "history_entry_merchant_account_id_transaction_id_fkey" FOREIGN KEY ("merchant_account_id", "transaction_id") REFERENCES "transaction"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand: the second wall for what the models cannot say.

-- Captures may pass what was authorised by what the merchant account allowed when it was captured, never more.
ALTER TABLE "transaction"
    DROP CONSTRAINT "transaction_captured_check",
    ADD CONSTRAINT "transaction_captured_check" CHECK (
        "captured_amount" + "capture_pending_amount" <= "authorized_amount" + "over_capture_allowance"
    ),
    ADD CONSTRAINT "transaction_over_capture_check" CHECK ("over_capture_allowance" BETWEEN 0 AND 99999999),
    ADD CONSTRAINT "transaction_installment_count_check" CHECK ("installment_count" BETWEEN 1 AND 100),
    ADD CONSTRAINT "transaction_three_d_secure_amount_check"
        CHECK ("three_d_secure_amount" BETWEEN "amount" AND 99999999),
    ADD CONSTRAINT "transaction_integration_client_check"
        CHECK ("integration_client" IN ('ios', 'android', 'web'));

ALTER TABLE "operation"
    DROP CONSTRAINT "operation_kind_check",
    ADD CONSTRAINT "operation_kind_check"
        CHECK ("kind" IN ('authorize', 'capture', 'refund', 'void', 'cancel')),
    ADD CONSTRAINT "operation_choice_check" CHECK (
        ("kind" = 'authorize') = ("choice" IS NOT NULL)
        AND "choice" IN ('requested', 'first', 'after_failure', 'after_decline')
    );

-- The sale's ledger says capture beside authorize, so that columns are the sums of the ledger.
INSERT INTO "ledger_entry" ("merchant_account_id", "id", "transaction_id", "operation_id", "kind", "amount", "currency", "created_at")
SELECT l."merchant_account_id", gen_random_uuid(), l."transaction_id", l."operation_id", 'capture', l."amount", l."currency", l."created_at"
FROM "ledger_entry" l
JOIN "transaction" t ON t."merchant_account_id" = l."merchant_account_id" AND t."id" = l."transaction_id"
WHERE l."kind" = 'authorize' AND t."intent" = 'capture';

-- At most one cancel of a transaction is under way or done, and at most one authorisation: the next service is asked
-- only after the one before it has surely said no.
CREATE UNIQUE INDEX "operation_one_cancel_key" ON "operation" ("merchant_account_id", "transaction_id")
    WHERE "kind" = 'cancel' AND "status" IN ('pending', 'succeeded');
CREATE UNIQUE INDEX "operation_one_authorization_key" ON "operation" ("merchant_account_id", "transaction_id")
    WHERE "kind" = 'authorize' AND "status" IN ('pending', 'succeeded');

-- What operators look at: whose outcome is unknown, oldest first.
CREATE INDEX "operation_unknown_idx" ON "operation" ("merchant_account_id", "id")
    WHERE "status" = 'pending' AND "unknown_at" IS NOT NULL;

CREATE TRIGGER "history_entry_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "history_entry"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
