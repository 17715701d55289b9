-- AlterTable
ALTER TABLE "operation" ADD COLUMN     "batch_id" UUID,
ADD COLUMN     "redemption_id" UUID;

-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "gift_card_amount" INTEGER NOT NULL DEFAULT 0,
ALTER COLUMN "instrument_type" DROP NOT NULL;

-- CreateTable
CREATE TABLE "redemption" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "reversal_id" UUID NOT NULL,
    "payment_service_id" UUID NOT NULL,
    "gift_card_id" UUID,
    "bin" TEXT NOT NULL,
    "sub_bin" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "amount" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'created',
    "refund_pending_amount" INTEGER NOT NULL DEFAULT 0,
    "refunded_amount" INTEGER NOT NULL DEFAULT 0,
    "provider_reference" TEXT,
    "error_code" TEXT,
    "raw_response_code" TEXT,
    "raw_response_description" TEXT,
    "sealed_card" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "redemption_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "redemption_merchant_account_id_transaction_id_ordinal_key" ON "redemption"("merchant_account_id", "transaction_id", "ordinal");

-- AddForeignKey
ALTER TABLE "redemption" ADD CONSTRAINT "redemption_merchant_account_id_transaction_id_fkey" FOREIGN KEY ("merchant_account_id", "transaction_id") REFERENCES "transaction"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "redemption" ADD CONSTRAINT "redemption_merchant_account_id_payment_service_id_fkey" FOREIGN KEY ("merchant_account_id", "payment_service_id") REFERENCES "payment_service"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "redemption" ADD CONSTRAINT "redemption_merchant_account_id_gift_card_id_fkey" FOREIGN KEY ("merchant_account_id", "gift_card_id") REFERENCES "gift_card"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "operation" ADD CONSTRAINT "operation_merchant_account_id_redemption_id_fkey" FOREIGN KEY ("merchant_account_id", "redemption_id") REFERENCES "redemption"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the models cannot say.

-- Gift cards pay no more than there is to pay, and the payment method no more than the rest.
ALTER TABLE "transaction"
    ADD CONSTRAINT "transaction_gift_cards_check" CHECK (
        "gift_card_amount" BETWEEN 0 AND "amount"
        AND ("gift_card_amount" = 0 OR "authorized_amount" <= "amount" - "gift_card_amount")
    );

ALTER TABLE "redemption"
    ADD CONSTRAINT "redemption_amount_check" CHECK (
        "amount" BETWEEN 0 AND 99999999 AND ("amount" > 0 OR "status" = 'skipped')
    ),
    ADD CONSTRAINT "redemption_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$'),
    ADD CONSTRAINT "redemption_ordinal_check" CHECK ("ordinal" BETWEEN 0 AND 9),
    ADD CONSTRAINT "redemption_status_check" CHECK (
        "status" IN ('created', 'pending', 'succeeded', 'failed', 'skipped', 'reversing', 'reversed')
    ),
    -- Nothing is given back twice: not by two refunds, and not by a refund and a reversal.
    ADD CONSTRAINT "redemption_refunded_check" CHECK (
        "refund_pending_amount" >= 0 AND "refunded_amount" >= 0
        AND "refunded_amount" + "refund_pending_amount" <= CASE "status" WHEN 'succeeded' THEN "amount" ELSE 0 END
    ),
    -- Number and PIN are there while the money may still have to be asked for, and not after.
    ADD CONSTRAINT "redemption_sealed_check" CHECK (
        ("sealed_card" IS NOT NULL) = ("status" IN ('created', 'pending'))
    );

ALTER TABLE "operation"
    DROP CONSTRAINT "operation_kind_check",
    ADD CONSTRAINT "operation_kind_check" CHECK (
        "kind" IN ('authorize', 'capture', 'refund', 'void', 'cancel', 'redeem', 'unredeem')
    ),
    DROP CONSTRAINT "operation_unsent_check",
    ADD CONSTRAINT "operation_unsent_check" CHECK (
        NOT "unsent" OR ("kind" IN ('authorize', 'unredeem') AND "accepted_at" IS NULL)
    ),
    -- A redemption is made by one operation.
    ADD CONSTRAINT "operation_redemption_check" CHECK (
        CASE "kind"
            WHEN 'redeem' THEN "redemption_id" IS NOT NULL AND "redemption_id" = "id"
            WHEN 'unredeem' THEN "redemption_id" IS NOT NULL
            WHEN 'refund' THEN true
            ELSE "redemption_id" IS NULL
        END
    );

-- And taken back by one at most.
CREATE UNIQUE INDEX "operation_one_unredeem_key" ON "operation" ("merchant_account_id", "redemption_id")
    WHERE "kind" = 'unredeem';

ALTER TABLE "ledger_entry"
    DROP CONSTRAINT "ledger_entry_kind_check",
    ADD CONSTRAINT "ledger_entry_kind_check" CHECK (
        "kind" IN ('authorize', 'capture', 'refund', 'void', 'redeem', 'unredeem', 'gift_card_refund')
    );
