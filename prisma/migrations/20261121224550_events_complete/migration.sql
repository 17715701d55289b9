-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "attempts_made" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "replay_id" UUID;

-- AlterTable
ALTER TABLE "delivery_attempt" ADD COLUMN     "connect_ms" INTEGER,
ADD COLUMN     "first_byte_ms" INTEGER,
ADD COLUMN     "lookup_ms" INTEGER,
ADD COLUMN     "probe" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "tls_ms" INTEGER;

-- AlterTable
ALTER TABLE "feed_head" ADD COLUMN     "floor" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "webhook_endpoint" RENAME COLUMN "disabled_reason" TO "state_reason";
ALTER TABLE "webhook_endpoint" ADD COLUMN     "auto_disable" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "basic_auth_username" TEXT,
ADD COLUMN     "created_position" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "header_names" TEXT[],
ADD COLUMN     "pauses" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "sealed_basic_password" TEXT,
ADD COLUMN     "sealed_headers" TEXT,
ADD COLUMN     "state_changed_at" TIMESTAMPTZ(3);
UPDATE "webhook_endpoint" SET "state_changed_at" = coalesce("disabled_at", "updated_at"),
    "created_position" = (SELECT coalesce(max("position"), 0) FROM "event");
ALTER TABLE "webhook_endpoint" ALTER COLUMN "state_changed_at" SET NOT NULL;

-- CreateTable
CREATE TABLE "replay_job" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "scope" TEXT NOT NULL,
    "from_sequence" BIGINT NOT NULL,
    "until_sequence" BIGINT NOT NULL,
    "done_sequence" BIGINT NOT NULL,
    "queued" INTEGER NOT NULL DEFAULT 0,
    "state" TEXT NOT NULL DEFAULT 'running',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "replay_job_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateTable
CREATE TABLE "inbound_webhook" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "payment_service_id" UUID NOT NULL,
    "event_key" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'parked',
    "operation_id" UUID,
    "provider_reference" TEXT,
    "notice" JSONB NOT NULL,
    "transaction_id" UUID,
    "next_attempt_at" TIMESTAMPTZ(3),
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "inbound_webhook_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateIndex
CREATE INDEX "replay_job_merchant_account_id_endpoint_id_id_idx" ON "replay_job"("merchant_account_id", "endpoint_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "inbound_webhook_merchant_account_id_payment_service_id_even_key" ON "inbound_webhook"("merchant_account_id", "payment_service_id", "event_key");

-- AddForeignKey
ALTER TABLE "replay_job" ADD CONSTRAINT "replay_job_merchant_account_id_endpoint_id_fkey" FOREIGN KEY ("merchant_account_id", "endpoint_id") REFERENCES "webhook_endpoint"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the models cannot say.

ALTER TABLE "replay_job"
    ADD CONSTRAINT "replay_job_scope_check" CHECK ("scope" IN ('all', 'failed', 'missing')),
    ADD CONSTRAINT "replay_job_state_check" CHECK ("state" IN ('running', 'done', 'cancelled')),
    ADD CONSTRAINT "replay_job_stretch_check" CHECK ("done_sequence" BETWEEN "from_sequence" - 1 AND "until_sequence");
CREATE INDEX "replay_job_running_idx" ON "replay_job" ("updated_at") WHERE "state" = 'running';

ALTER TABLE "inbound_webhook"
    ADD CONSTRAINT "inbound_webhook_state_check" CHECK ("state" IN ('parked', 'applied', 'ignored', 'expired'));
CREATE INDEX "inbound_webhook_parked_idx" ON "inbound_webhook" ("next_attempt_at") WHERE "state" = 'parked';
