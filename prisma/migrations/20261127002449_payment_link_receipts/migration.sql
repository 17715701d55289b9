-- AlterTable
ALTER TABLE "payment_link" ADD COLUMN     "offers_receipt" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "receipt_requested_at" TIMESTAMPTZ(3);

-- By hand from here: what the models cannot say.

ALTER TABLE "payment_link"
    ADD CONSTRAINT "payment_link_receipt_check" CHECK (
        "receipt_requested_at" IS NULL OR ("offers_receipt" AND "status" = 'completed')
    );
