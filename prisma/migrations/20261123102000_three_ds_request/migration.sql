-- AlterTable
ALTER TABLE "transaction" ADD COLUMN "card_country" TEXT,
ADD COLUMN "three_d_secure_request" TEXT NOT NULL DEFAULT 'automatic';

-- DropIndex
DROP INDEX "transaction_created_idx";

-- CreateIndex
CREATE INDEX "transaction_created_idx" ON "transaction"("merchant_account_id", "created_at", "id", "currency", "country", "method", "payment_source", "card_scheme", "payment_service_id", "merchant_initiated", "is_subsequent_payment", "card_country");

-- By hand: the values of the two columns.
ALTER TABLE "transaction"
    ADD CONSTRAINT "transaction_three_d_secure_request_check" CHECK ("three_d_secure_request" IN ('always', 'never', 'automatic')),
    ADD CONSTRAINT "transaction_card_country_check" CHECK ("card_country" ~ '^[A-Z]{2}$');
