-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "bank" JSONB;

-- By hand: what the models cannot say.
ALTER TABLE "transaction"
    DROP CONSTRAINT "transaction_instrument_type_check",
    ADD CONSTRAINT "transaction_instrument_type_check" CHECK (
        "instrument_type" IN ('pan', 'bank', 'redirect', 'redirect_token')
    ),
    -- A bank payment shows its account, and no other payment does.
    ADD CONSTRAINT "transaction_bank_check" CHECK (("bank" IS NOT NULL) = ("instrument_type" IS NOT DISTINCT FROM 'bank'));
