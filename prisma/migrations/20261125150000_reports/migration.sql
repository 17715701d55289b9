-- CreateTable
CREATE TABLE "report_pending" (
    "position" BIGSERIAL NOT NULL,
    "merchant_account_id" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "report_pending_pkey" PRIMARY KEY ("position")
);

-- CreateTable
CREATE TABLE "report_bucket" (
    "merchant_account_id" TEXT NOT NULL,
    "dimension" TEXT NOT NULL,
    "grain" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "value" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "created_count" BIGINT NOT NULL DEFAULT 0,
    "created_amount" BIGINT NOT NULL DEFAULT 0,
    "authorized_count" BIGINT NOT NULL DEFAULT 0,
    "authorized_amount" BIGINT NOT NULL DEFAULT 0,
    "captured_count" BIGINT NOT NULL DEFAULT 0,
    "captured_amount" BIGINT NOT NULL DEFAULT 0,
    "refunded_count" BIGINT NOT NULL DEFAULT 0,
    "refunded_amount" BIGINT NOT NULL DEFAULT 0,
    "voided_count" BIGINT NOT NULL DEFAULT 0,
    "voided_amount" BIGINT NOT NULL DEFAULT 0,
    "expired_count" BIGINT NOT NULL DEFAULT 0,
    "expired_amount" BIGINT NOT NULL DEFAULT 0,
    "declined_count" BIGINT NOT NULL DEFAULT 0,
    "declined_amount" BIGINT NOT NULL DEFAULT 0,
    "failed_count" BIGINT NOT NULL DEFAULT 0,
    "failed_amount" BIGINT NOT NULL DEFAULT 0,
    "capture_reversed_count" BIGINT NOT NULL DEFAULT 0,
    "capture_reversed_amount" BIGINT NOT NULL DEFAULT 0,
    "refund_reversed_count" BIGINT NOT NULL DEFAULT 0,
    "refund_reversed_amount" BIGINT NOT NULL DEFAULT 0,
    "dispute_lost_count" BIGINT NOT NULL DEFAULT 0,
    "dispute_lost_amount" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "report_bucket_pkey" PRIMARY KEY ("merchant_account_id","dimension","grain","starts_at","value","currency")
);

-- CreateIndex
CREATE INDEX "report_pending_merchant_account_id_created_at_idx" ON "report_pending"("merchant_account_id", "created_at");

-- By hand from here: what the models cannot say.

ALTER TABLE "report_pending"
    ADD CONSTRAINT "report_pending_source_check" CHECK ("source" IN ('transaction', 'ledger_entry', 'operation'));

ALTER TABLE "report_bucket"
    ADD CONSTRAINT "report_bucket_grain_check" CHECK ("grain" IN ('quarter', 'hour')),
    ADD CONSTRAINT "report_bucket_dimension_check" CHECK (
        "dimension" IN ('all', 'payment_service', 'method', 'scheme', 'card_country', 'country', 'payment_source',
            'three_d_secure', 'decline_code')
    ),
    ADD CONSTRAINT "report_bucket_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$');

-- Marks rows that the reports shall count, in the commit of the change. The argument names the source.
CREATE FUNCTION "mark_for_reports"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "report_pending" ("merchant_account_id", "source", "id", "created_at")
    SELECT "merchant_account_id", TG_TABLE_NAME, "id", "created_at" FROM "added";
    RETURN NULL;
END
$$;

CREATE TRIGGER "transaction_reports" AFTER INSERT ON "transaction" REFERENCING NEW TABLE AS "added"
    FOR EACH STATEMENT EXECUTE FUNCTION "mark_for_reports"();
CREATE TRIGGER "ledger_entry_reports" AFTER INSERT ON "ledger_entry" REFERENCING NEW TABLE AS "added"
    FOR EACH STATEMENT EXECUTE FUNCTION "mark_for_reports"();

CREATE FUNCTION "mark_refusal_for_reports"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "report_pending" ("merchant_account_id", "source", "id", "created_at")
    VALUES (NEW."merchant_account_id", 'operation', NEW."id", coalesce(NEW."settled_at", NEW."updated_at"));
    RETURN NULL;
END
$$;

CREATE TRIGGER "operation_reports" AFTER UPDATE ON "operation" FOR EACH ROW
    WHEN (NEW."kind" = 'authorize' AND OLD."status" = 'pending' AND NEW."status" IN ('declined', 'failed'))
    EXECUTE FUNCTION "mark_refusal_for_reports"();
