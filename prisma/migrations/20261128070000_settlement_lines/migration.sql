-- AlterTable
ALTER TABLE "settlement" ADD COLUMN     "line" INTEGER,
ADD COLUMN     "provider_kind" TEXT;

-- By hand from here: what the models cannot say.

ALTER TABLE "settlement"
    DROP CONSTRAINT "settlement_kind_check",
    ADD CONSTRAINT "settlement_kind_check" CHECK (
        "kind" IN ('charge', 'refund', 'reversal', 'chargeback', 'chargeback_reversal', 'fee', 'payout', 'payout_reversal',
            'adjustment', 'unknown', 'unreadable')
    ),
    DROP CONSTRAINT "settlement_difference_check",
    ADD CONSTRAINT "settlement_difference_check" CHECK (
        "difference" IN ('no_such_operation', 'no_such_dispute', 'operation_not_succeeded', 'other_amount', 'other_currency',
            'already_settled', 'adjustment', 'unknown_kind', 'unreadable')
    ),
    DROP CONSTRAINT "settlement_matched_check",
    -- Each charge, refund and reversal settles a booking, each chargeback is of a dispute, or there is a difference.
    ADD CONSTRAINT "settlement_matched_check" CHECK (
        CASE
            WHEN "difference" IS NOT NULL THEN true
            WHEN "kind" IN ('charge', 'refund', 'reversal') THEN "ledger_entry_id" IS NOT NULL
            WHEN "kind" IN ('chargeback', 'chargeback_reversal') THEN "dispute_id" IS NOT NULL
            ELSE "kind" NOT IN ('adjustment', 'unknown', 'unreadable')
        END
    ),
    -- An entry that cannot be read changes no sum.
    ADD CONSTRAINT "settlement_unreadable_check" CHECK (
        CASE "kind"
            WHEN 'unreadable' THEN
                "difference" = 'unreadable' AND "gross" = 0 AND "fee" = 0 AND "currency" = 'XXX' AND "original_amount" IS NULL
            ELSE "difference" IS DISTINCT FROM 'unreadable'
        END
    ),
    ADD CONSTRAINT "settlement_line_check" CHECK ("line" >= 1);
