-- CreateTable
CREATE TABLE "export" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "filter" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "position" TEXT,
    "rows_written" INTEGER NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "chunks" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failure_reason" TEXT,
    "lease" UUID,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "export_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateTable
CREATE TABLE "export_chunk" (
    "merchant_account_id" TEXT NOT NULL,
    "export_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "export_chunk_pkey" PRIMARY KEY ("merchant_account_id","export_id","number")
);

-- CreateIndex
CREATE UNIQUE INDEX "export_id_key" ON "export"("id");

-- AddForeignKey
ALTER TABLE "export_chunk" ADD CONSTRAINT "export_chunk_merchant_account_id_export_id_fkey" FOREIGN KEY ("merchant_account_id", "export_id") REFERENCES "export"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the models cannot say.

ALTER TABLE "export"
    ADD CONSTRAINT "export_type_check" CHECK (
        "type" IN ('transactions', 'ledger', 'settlements', 'events', 'audit_log')
    ),
    ADD CONSTRAINT "export_format_check" CHECK ("format" IN ('csv', 'ndjson')),
    ADD CONSTRAINT "export_status_check" CHECK (
        "status" IN ('pending', 'running', 'succeeded', 'failed', 'expired')
    ),
    ADD CONSTRAINT "export_progress_check" CHECK (
        "rows_written" >= 0 AND "bytes" >= 0 AND "chunks" >= 0 AND "failures" >= 0
    ),
    ADD CONSTRAINT "export_failure_check" CHECK (
        ("status" = 'failed') = ("failure_reason" IS NOT NULL)
            AND ("failure_reason" IS NULL OR "failure_reason" IN ('records_removed', 'internal_error'))
    ),
    -- The conditions may name a buyer, so they go with the end of the work.
    ADD CONSTRAINT "export_end_check" CHECK (
        ("status" IN ('pending', 'running')) = ("ended_at" IS NULL)
            AND ("ended_at" IS NULL) = ("filter" IS NOT NULL)
            AND ("status" IN ('succeeded', 'expired')) = ("expires_at" IS NOT NULL)
    );

ALTER TABLE "export_chunk"
    ADD CONSTRAINT "export_chunk_number_check" CHECK ("number" >= 1),
    ADD CONSTRAINT "export_chunk_content_check" CHECK (octet_length("content") BETWEEN 1 AND 1048576);

-- The worker finds the next export, and retention finds the next file.
CREATE INDEX "export_unfinished_idx" ON "export"("next_at") WHERE "status" IN ('pending', 'running');
CREATE INDEX "export_file_idx" ON "export"("expires_at") WHERE "status" = 'succeeded';
CREATE INDEX "export_remains_idx" ON "export"("ended_at") WHERE "status" IN ('failed', 'expired') AND "chunks" > 0;

-- The audit log shows each request for a file, and its end. The conditions may name a buyer.
CREATE TRIGGER "export_audited" AFTER INSERT OR DELETE ON "export"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('export', 'export', 'id', 'type,format,status', 'filter');
CREATE TRIGGER "export_change_audited" AFTER UPDATE ON "export"
    FOR EACH ROW WHEN (OLD."status" IS DISTINCT FROM NEW."status")
    EXECUTE FUNCTION "audit_change"('export', 'export', 'id', 'status,rows_written,failure_reason', '');
