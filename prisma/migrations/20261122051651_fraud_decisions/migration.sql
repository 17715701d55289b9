-- AlterTable
ALTER TABLE "anti_fraud_service" ADD COLUMN     "webhook_token" TEXT;

-- Services that were there before get an address that nobody can guess.
UPDATE "anti_fraud_service" SET "webhook_token" = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
ALTER TABLE "anti_fraud_service" ALTER COLUMN "webhook_token" SET NOT NULL;

-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "anti_fraud_decision" TEXT,
ADD COLUMN     "anti_fraud_service_id" UUID,
ADD COLUMN     "fraud_review" TEXT;

-- CreateTable
CREATE TABLE "inbound_review" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "anti_fraud_service_id" UUID NOT NULL,
    "event_key" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'parked',
    "check_key" UUID,
    "check_reference" TEXT,
    "notice" JSONB NOT NULL,
    "transaction_id" UUID,
    "next_attempt_at" TIMESTAMPTZ(3),
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "inbound_review_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "inbound_review_merchant_account_id_anti_fraud_service_id_ev_key" ON "inbound_review"("merchant_account_id", "anti_fraud_service_id", "event_key");

-- CreateIndex
CREATE UNIQUE INDEX "anti_fraud_service_webhook_token_key" ON "anti_fraud_service"("webhook_token");

-- AddForeignKey
ALTER TABLE "transaction" ADD CONSTRAINT "transaction_merchant_account_id_anti_fraud_service_id_fkey" FOREIGN KEY ("merchant_account_id", "anti_fraud_service_id") REFERENCES "anti_fraud_service"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the models cannot say.

ALTER TABLE "transaction"
    ADD CONSTRAINT "transaction_anti_fraud_check"
        CHECK (("anti_fraud_service_id" IS NULL) = ("anti_fraud_decision" IS NULL)),
    ADD CONSTRAINT "transaction_anti_fraud_decision_check" CHECK (
        "anti_fraud_decision" IN ('pending', 'accept', 'reject', 'review', 'error', 'exception', 'skipped')
    ),
    ADD CONSTRAINT "transaction_fraud_review_check" CHECK (
        "fraud_review" IS NULL
        OR ("fraud_review" IN ('pending', 'accepted', 'rejected', 'ended') AND "anti_fraud_decision" IS NOT DISTINCT FROM 'review')
    ),
    -- Nothing is authorised that is not judged or was rejected, and what is to be reviewed is held from then on.
    ADD CONSTRAINT "transaction_judged_check" CHECK (
        "authorized_at" IS NULL OR "anti_fraud_decision" IS NULL
        OR ("anti_fraud_decision" NOT IN ('pending', 'reject') AND ("anti_fraud_decision" <> 'review' OR "fraud_review" IS NOT NULL))
    ),
    -- Nothing is captured before a review has accepted it.
    ADD CONSTRAINT "transaction_held_check" CHECK (
        "fraud_review" IS NULL OR "fraud_review" = 'accepted' OR "captured_amount" + "capture_pending_amount" = 0
    );

ALTER TABLE "inbound_review"
    ADD CONSTRAINT "inbound_review_state_check" CHECK ("state" IN ('parked', 'applied', 'ignored', 'expired')),
    ADD CONSTRAINT "inbound_review_check_check" CHECK ("check_key" IS NOT NULL OR "check_reference" IS NOT NULL);

-- What the loop looks for, what an opened review finds parked notices by, and what a notice finds its check by.
CREATE INDEX "inbound_review_parked_idx" ON "inbound_review" ("next_attempt_at") WHERE "state" = 'parked';
CREATE INDEX "inbound_review_check_idx" ON "inbound_review" ("merchant_account_id", "check_key") WHERE "state" = 'parked';
CREATE INDEX "anti_fraud_check_reference_idx"
    ON "anti_fraud_check" ("merchant_account_id", "anti_fraud_service_id", "reference") WHERE "reference" IS NOT NULL;

-- By what was said of them, newest first.
CREATE INDEX "transaction_decision_idx" ON "transaction" ("merchant_account_id", "anti_fraud_decision", "created_at", "id")
    WHERE "anti_fraud_decision" IS NOT NULL;

-- What reviewers list: the open reviews, newest first.
CREATE INDEX "transaction_review_idx" ON "transaction" ("merchant_account_id", "created_at", "id")
    WHERE "fraud_review" = 'pending';
