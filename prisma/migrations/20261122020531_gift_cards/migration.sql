-- CreateTable
CREATE TABLE "gift_card" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "buyer_id" UUID,
    "payment_service_id" UUID NOT NULL,
    "sealed_number" TEXT,
    "sealed_pin" TEXT,
    "bin" TEXT NOT NULL,
    "sub_bin" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "expiration_date" TIMESTAMPTZ(3),
    "currency" TEXT NOT NULL,
    "balance" INTEGER NOT NULL,
    "balance_updated_at" TIMESTAMPTZ(3) NOT NULL,
    "fingerprint" TEXT,
    "usage_count" INTEGER NOT NULL DEFAULT 0,
    "last_used_at" TIMESTAMPTZ(3),
    "cit_usage_count" INTEGER NOT NULL DEFAULT 0,
    "cit_last_used_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "gift_card_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateIndex
CREATE INDEX "gift_card_merchant_account_id_buyer_id_id_idx" ON "gift_card"("merchant_account_id", "buyer_id", "id");

-- AddForeignKey
ALTER TABLE "gift_card" ADD CONSTRAINT "gift_card_merchant_account_id_fkey" FOREIGN KEY ("merchant_account_id") REFERENCES "merchant_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "gift_card" ADD CONSTRAINT "gift_card_merchant_account_id_buyer_id_fkey" FOREIGN KEY ("merchant_account_id", "buyer_id") REFERENCES "buyer"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "gift_card" ADD CONSTRAINT "gift_card_merchant_account_id_payment_service_id_fkey" FOREIGN KEY ("merchant_account_id", "payment_service_id") REFERENCES "payment_service"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the models cannot say.

ALTER TABLE "gift_card"
    ADD CONSTRAINT "gift_card_balance_check" CHECK ("balance" BETWEEN 0 AND 99999999),
    ADD CONSTRAINT "gift_card_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$'),
    ADD CONSTRAINT "gift_card_usage_check" CHECK ("cit_usage_count" BETWEEN 0 AND "usage_count"),
    -- What could pay is there until the card is deleted, and not after.
    ADD CONSTRAINT "gift_card_sealed_check" CHECK (
        num_nulls("sealed_number", "sealed_pin", "fingerprint") = CASE WHEN "deleted_at" IS NULL THEN 0 ELSE 3 END);

-- A buyer has a card once.
CREATE UNIQUE INDEX "gift_card_held_key" ON "gift_card" ("merchant_account_id", "buyer_id", "fingerprint")
    WHERE "deleted_at" IS NULL;
