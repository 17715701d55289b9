-- CreateTable
CREATE TABLE "merchant_account" (
    "id" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "over_capture_amount" INTEGER,
    "over_capture_percentage" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "merchant_account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key_pair" (
    "id" UUID NOT NULL,
    "display_name" TEXT NOT NULL,
    "thumbprint" TEXT NOT NULL,
    "algorithm" TEXT NOT NULL,
    "public_key" JSONB NOT NULL,
    "scopes" TEXT[],
    "merchant_account_ids" TEXT[],
    "active" BOOLEAN NOT NULL DEFAULT true,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "api_key_pair_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event" (
    "position" BIGSERIAL NOT NULL,
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "target_type" TEXT NOT NULL,
    "target_id" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("position")
);

-- CreateTable
CREATE TABLE "event_pending" (
    "position" BIGINT NOT NULL,

    CONSTRAINT "event_pending_pkey" PRIMARY KEY ("position")
);

-- CreateTable
CREATE TABLE "feed_entry" (
    "merchant_account_id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "position" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feed_entry_pkey" PRIMARY KEY ("merchant_account_id","sequence")
);

-- CreateTable
CREATE TABLE "feed_head" (
    "merchant_account_id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,

    CONSTRAINT "feed_head_pkey" PRIMARY KEY ("merchant_account_id")
);

-- CreateTable
CREATE TABLE "webhook_endpoint" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "event_names" TEXT[],
    "state" TEXT NOT NULL DEFAULT 'active',
    "window" INTEGER NOT NULL DEFAULT 1,
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "paused_until" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "served_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateTable
CREATE TABLE "webhook_secret" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "sealed" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_secret_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateTable
CREATE TABLE "delivery" (
    "merchant_account_id" TEXT NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "position" BIGINT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "deadline" TIMESTAMPTZ(3) NOT NULL,
    "lease" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("endpoint_id","position")
);

-- CreateTable
CREATE TABLE "delivery_attempt" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "position" BIGINT NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "status_code" INTEGER,
    "error" TEXT,
    "reply_start" TEXT,

    CONSTRAINT "delivery_attempt_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateTable
CREATE TABLE "payment_service" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "definition_id" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "status" TEXT NOT NULL DEFAULT 'created',
    "accepted_currencies" TEXT[],
    "accepted_countries" TEXT[],
    "fields" JSONB NOT NULL,
    "sealed_fields" TEXT,
    "reporting_fields" JSONB NOT NULL,
    "merchant_profile" JSONB,
    "three_d_secure_enabled" BOOLEAN NOT NULL DEFAULT false,
    "payment_method_tokenization_enabled" BOOLEAN NOT NULL DEFAULT false,
    "network_tokens_enabled" BOOLEAN NOT NULL DEFAULT false,
    "open_loop" BOOLEAN NOT NULL DEFAULT false,
    "settlement_reporting_enabled" BOOLEAN NOT NULL DEFAULT false,
    "webhook_token" TEXT NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_service_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateTable
CREATE TABLE "data_key" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "purpose" TEXT NOT NULL,
    "key_encryption_key" TEXT NOT NULL,
    "wrapped" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "data_key_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "merchant_account_id" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "digests" TEXT NOT NULL,
    "resource_id" TEXT,
    "result" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("merchant_account_id","operation","key")
);

-- CreateTable
CREATE TABLE "installation_fact" (
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "installation_fact_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "transaction" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "intent" TEXT NOT NULL,
    "intent_outcome" TEXT NOT NULL DEFAULT 'pending',
    "amount" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "country" TEXT,
    "authorized_amount" INTEGER NOT NULL DEFAULT 0,
    "capture_pending_amount" INTEGER NOT NULL DEFAULT 0,
    "captured_amount" INTEGER NOT NULL DEFAULT 0,
    "refund_pending_amount" INTEGER NOT NULL DEFAULT 0,
    "refunded_amount" INTEGER NOT NULL DEFAULT 0,
    "void_pending" BOOLEAN NOT NULL DEFAULT false,
    "external_identifier" TEXT,
    "payment_source" TEXT NOT NULL DEFAULT 'ecommerce',
    "merchant_initiated" BOOLEAN NOT NULL DEFAULT false,
    "is_subsequent_payment" BOOLEAN NOT NULL DEFAULT false,
    "method" TEXT NOT NULL,
    "instrument_type" TEXT NOT NULL,
    "card_scheme" TEXT,
    "card_bin" TEXT,
    "card_last_four" TEXT,
    "card_expiration_date" TEXT,
    "card_fingerprint" TEXT,
    "buyer" JSONB,
    "metadata" JSONB,
    "payment_service_id" UUID,
    "payment_service_transaction_id" TEXT,
    "error_code" TEXT,
    "raw_response_code" TEXT,
    "raw_response_description" TEXT,
    "auth_response_code" TEXT,
    "avs_response_code" TEXT,
    "cvv_response_code" TEXT,
    "authorized_at" TIMESTAMPTZ(3),
    "captured_at" TIMESTAMPTZ(3),
    "voided_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "transaction_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateTable
CREATE TABLE "operation" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "amount" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "idempotency_key" TEXT,
    "external_identifier" TEXT,
    "reason" TEXT,
    "sealed_card" TEXT,
    "provider_reference" TEXT,
    "error_code" TEXT,
    "raw_response_code" TEXT,
    "raw_response_description" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 1,
    "lease_until" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3),
    "settled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "operation_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateTable
CREATE TABLE "ledger_entry" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "operation_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "amount" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ledger_entry_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_key_pair_thumbprint_key" ON "api_key_pair"("thumbprint");

-- CreateIndex
CREATE INDEX "event_merchant_account_id_target_type_target_id_position_idx" ON "event"("merchant_account_id", "target_type", "target_id", "position");

-- CreateIndex
CREATE UNIQUE INDEX "event_merchant_account_id_id_key" ON "event"("merchant_account_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "feed_entry_position_key" ON "feed_entry"("position");

-- CreateIndex
CREATE INDEX "webhook_secret_merchant_account_id_endpoint_id_idx" ON "webhook_secret"("merchant_account_id", "endpoint_id");

-- CreateIndex
CREATE UNIQUE INDEX "delivery_merchant_account_id_endpoint_id_position_key" ON "delivery"("merchant_account_id", "endpoint_id", "position");

-- CreateIndex
CREATE INDEX "delivery_attempt_merchant_account_id_endpoint_id_position_idx" ON "delivery_attempt"("merchant_account_id", "endpoint_id", "position");

-- CreateIndex
CREATE UNIQUE INDEX "payment_service_webhook_token_key" ON "payment_service"("webhook_token");

-- CreateIndex
CREATE INDEX "payment_service_merchant_account_id_method_position_id_idx" ON "payment_service"("merchant_account_id", "method", "position", "id");

-- CreateIndex
CREATE UNIQUE INDEX "data_key_merchant_account_id_purpose_key" ON "data_key"("merchant_account_id", "purpose");

-- CreateIndex
CREATE INDEX "idempotency_key_expires_at_idx" ON "idempotency_key"("expires_at");

-- CreateIndex
CREATE INDEX "transaction_merchant_account_id_status_id_idx" ON "transaction"("merchant_account_id", "status", "id");

-- CreateIndex
CREATE INDEX "operation_merchant_account_id_transaction_id_kind_id_idx" ON "operation"("merchant_account_id", "transaction_id", "kind", "id");

-- CreateIndex
CREATE INDEX "ledger_entry_merchant_account_id_transaction_id_id_idx" ON "ledger_entry"("merchant_account_id", "transaction_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_entry_merchant_account_id_operation_id_kind_key" ON "ledger_entry"("merchant_account_id", "operation_id", "kind");

-- AddForeignKey
ALTER TABLE "event" ADD CONSTRAINT "event_merchant_account_id_fkey" FOREIGN KEY ("merchant_account_id") REFERENCES "merchant_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "feed_entry" ADD CONSTRAINT "feed_entry_position_fkey" FOREIGN KEY ("position") REFERENCES "event"("position") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_merchant_account_id_fkey" FOREIGN KEY ("merchant_account_id") REFERENCES "merchant_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_secret" ADD CONSTRAINT "webhook_secret_merchant_account_id_endpoint_id_fkey" FOREIGN KEY ("merchant_account_id", "endpoint_id") REFERENCES "webhook_endpoint"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_merchant_account_id_endpoint_id_fkey" FOREIGN KEY ("merchant_account_id", "endpoint_id") REFERENCES "webhook_endpoint"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_position_fkey" FOREIGN KEY ("position") REFERENCES "event"("position") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery_attempt" ADD CONSTRAINT "delivery_attempt_merchant_account_id_endpoint_id_position_fkey" FOREIGN KEY ("merchant_account_id", "endpoint_id", "position") REFERENCES "delivery"("merchant_account_id", "endpoint_id", "position") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_service" ADD CONSTRAINT "payment_service_merchant_account_id_fkey" FOREIGN KEY ("merchant_account_id") REFERENCES "merchant_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transaction" ADD CONSTRAINT "transaction_merchant_account_id_fkey" FOREIGN KEY ("merchant_account_id") REFERENCES "merchant_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transaction" ADD CONSTRAINT "transaction_merchant_account_id_payment_service_id_fkey" FOREIGN KEY ("merchant_account_id", "payment_service_id") REFERENCES "payment_service"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "operation" ADD CONSTRAINT "operation_merchant_account_id_transaction_id_fkey" FOREIGN KEY ("merchant_account_id", "transaction_id") REFERENCES "transaction"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_merchant_account_id_transaction_id_fkey" FOREIGN KEY ("merchant_account_id", "transaction_id") REFERENCES "transaction"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_merchant_account_id_operation_id_fkey" FOREIGN KEY ("merchant_account_id", "operation_id") REFERENCES "operation"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
