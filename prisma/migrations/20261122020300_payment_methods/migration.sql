-- CreateTable
CREATE TABLE "payment_method" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "buyer_id" UUID,
    "method" TEXT NOT NULL,
    "instrument_type" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "label" TEXT,
    "scheme" TEXT,
    "additional_schemes" TEXT[],
    "bin" TEXT,
    "last_four" TEXT,
    "expiration_date" TEXT,
    "issuer_country" TEXT,
    "bank_scheme" TEXT,
    "fingerprint" TEXT,
    "sealed_instrument" TEXT,
    "external_identifier" TEXT,
    "scheme_transaction_id" TEXT,
    "scheme_transaction_id_scheme" TEXT,
    "transaction_link_id" TEXT,
    "country" TEXT,
    "currency" TEXT,
    "redirect_url" TEXT,
    "approval_url" TEXT,
    "usage_count" INTEGER NOT NULL DEFAULT 0,
    "last_used_at" TIMESTAMPTZ(3),
    "cit_usage_count" INTEGER NOT NULL DEFAULT 0,
    "cit_last_used_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_method_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateTable
CREATE TABLE "payment_method_term" (
    "merchant_account_id" TEXT NOT NULL,
    "term" TEXT NOT NULL,
    "payment_method_id" UUID NOT NULL,

    CONSTRAINT "payment_method_term_pkey" PRIMARY KEY ("merchant_account_id","term","payment_method_id")
);

-- CreateTable
CREATE TABLE "payment_method_token" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "payment_method_id" UUID NOT NULL,
    "payment_service_id" UUID NOT NULL,
    "sealed_token" TEXT NOT NULL,
    "mandate" BOOLEAN NOT NULL,
    "status" TEXT NOT NULL,
    "revocation_key" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_method_token_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateIndex
CREATE INDEX "payment_method_merchant_account_id_buyer_id_id_idx" ON "payment_method"("merchant_account_id", "buyer_id", "id");

-- CreateIndex
CREATE INDEX "payment_method_merchant_account_id_fingerprint_id_idx" ON "payment_method"("merchant_account_id", "fingerprint", "id");

-- CreateIndex
CREATE INDEX "payment_method_merchant_account_id_external_identifier_id_idx" ON "payment_method"("merchant_account_id", "external_identifier", "id");

-- CreateIndex
CREATE INDEX "payment_method_merchant_account_id_method_id_idx" ON "payment_method"("merchant_account_id", "method", "id");

-- CreateIndex
CREATE INDEX "payment_method_merchant_account_id_status_id_idx" ON "payment_method"("merchant_account_id", "status", "id");

-- CreateIndex
CREATE INDEX "payment_method_term_merchant_account_id_payment_method_id_idx" ON "payment_method_term"("merchant_account_id", "payment_method_id");

-- CreateIndex
CREATE INDEX "payment_method_token_merchant_account_id_payment_service_id_idx" ON "payment_method_token"("merchant_account_id", "payment_service_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_method_token_merchant_account_id_payment_method_id__key" ON "payment_method_token"("merchant_account_id", "payment_method_id", "payment_service_id");

-- AddForeignKey
ALTER TABLE "payment_method" ADD CONSTRAINT "payment_method_merchant_account_id_fkey" FOREIGN KEY ("merchant_account_id") REFERENCES "merchant_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_method" ADD CONSTRAINT "payment_method_merchant_account_id_buyer_id_fkey" FOREIGN KEY ("merchant_account_id", "buyer_id") REFERENCES "buyer"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_method_term" ADD CONSTRAINT "payment_method_term_merchant_account_id_payment_method_id_fkey" FOREIGN KEY ("merchant_account_id", "payment_method_id") REFERENCES "payment_method"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_method_token" ADD CONSTRAINT "payment_method_token_merchant_account_id_payment_method_id_fkey" FOREIGN KEY ("merchant_account_id", "payment_method_id") REFERENCES "payment_method"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_method_token" ADD CONSTRAINT "payment_method_token_merchant_account_id_payment_service_i_fkey" FOREIGN KEY ("merchant_account_id", "payment_service_id") REFERENCES "payment_service"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the models cannot say.

ALTER TABLE "payment_method"
    ADD CONSTRAINT "payment_method_status_check" CHECK ("status" IN (
        'processing', 'buyer_approval_required', 'succeeded', 'failed', 'paused', 'deleting', 'deleted')),
    ADD CONSTRAINT "payment_method_instrument_type_check" CHECK (
        "instrument_type" IN ('pan', 'network_token', 'bank', 'redirect', 'redirect_token')),
    ADD CONSTRAINT "payment_method_bank_scheme_check" CHECK (
        ("bank_scheme" IS NOT NULL) = ("instrument_type" = 'bank') AND "bank_scheme" IN ('ach', 'sepa', 'bacs')),
    ADD CONSTRAINT "payment_method_expiration_date_check" CHECK ("expiration_date" ~ '^(0[1-9]|1[0-2])/[0-9]{2}$'),
    ADD CONSTRAINT "payment_method_country_check" CHECK ("country" ~ '^[A-Z]{2}$'),
    ADD CONSTRAINT "payment_method_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$'),
    ADD CONSTRAINT "payment_method_usage_check" CHECK (
        0 <= "cit_usage_count" AND "cit_usage_count" <= "usage_count"),
    -- What could pay goes when the payment method goes.
    ADD CONSTRAINT "payment_method_deleted_check" CHECK (
        ("deleted_at" IS NOT NULL) = ("status" = 'deleted')
        AND ("deleted_at" IS NULL OR ("sealed_instrument" IS NULL AND "fingerprint" IS NULL)));

ALTER TABLE "payment_method_token"
    ADD CONSTRAINT "payment_method_token_status_check" CHECK ("status" IN ('active', 'revoking')),
    ADD CONSTRAINT "payment_method_token_revocation_check" CHECK (
        ("status" = 'revoking') = ("revocation_key" IS NOT NULL));

-- By code point, so that "begins with" is a range of the index, whatever the database sorts by.
ALTER TABLE "payment_method_term" ALTER COLUMN "term" TYPE TEXT COLLATE "C";
