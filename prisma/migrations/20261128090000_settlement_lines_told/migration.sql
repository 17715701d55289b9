-- AlterTable
ALTER TABLE "settlement" ADD COLUMN     "capture_reference" TEXT,
ADD COLUMN     "captured_total" BIGINT,
ADD COLUMN     "is_part" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "tell_at" TIMESTAMPTZ(3);

-- By hand from here: what the models cannot say.

ALTER TABLE "settlement"
    DROP CONSTRAINT "settlement_matched_check",
    -- Each charge, refund and reversal settles a booking, each chargeback is of a dispute, or there is a difference.
    -- An instalment names its operation. The last instalment settles the booking.
    ADD CONSTRAINT "settlement_matched_check" CHECK (
        CASE
            WHEN "difference" IS NOT NULL THEN true
            WHEN "is_part" THEN "operation_id" IS NOT NULL
            WHEN "kind" IN ('charge', 'refund', 'reversal') THEN "ledger_entry_id" IS NOT NULL
            WHEN "kind" IN ('chargeback', 'chargeback_reversal') THEN "dispute_id" IS NOT NULL
            ELSE "kind" NOT IN ('adjustment', 'unknown', 'unreadable')
        END
    ),
    ADD CONSTRAINT "settlement_part_check" CHECK (NOT "is_part" OR "kind" IN ('charge', 'refund')),
    -- Only an entry about a payment is told.
    ADD CONSTRAINT "settlement_tell_check" CHECK (
        "tell_at" IS NULL OR ("kind" IN ('charge', 'refund', 'reversal') AND "transaction_id" IS NOT NULL)
    ),
    ADD CONSTRAINT "settlement_captured_total_check" CHECK ("captured_total" >= 0);

CREATE INDEX "settlement_tell_idx" ON "settlement" ("tell_at") WHERE "tell_at" IS NOT NULL;

-- The entries that await an operation are told once.
UPDATE "settlement" SET "tell_at" = "rematch_at"
    WHERE "rematch_at" IS NOT NULL AND "kind" IN ('charge', 'refund', 'reversal') AND "transaction_id" IS NOT NULL;
