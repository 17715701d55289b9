-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "approval_url" TEXT;

-- CreateTable
CREATE TABLE "approval" (
    "merchant_account_id" TEXT NOT NULL,
    "operation_id" UUID NOT NULL,
    "token" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "approval_pkey" PRIMARY KEY ("merchant_account_id","operation_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "approval_token_key" ON "approval"("token");

-- AddForeignKey
ALTER TABLE "approval" ADD CONSTRAINT "approval_merchant_account_id_operation_id_fkey" FOREIGN KEY ("merchant_account_id", "operation_id") REFERENCES "operation"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand: what the models cannot say.
ALTER TABLE "approval"
    ADD CONSTRAINT "approval_state_check" CHECK ("state" IN ('pending', 'approved', 'refused', 'expired')),
    ADD CONSTRAINT "approval_decided_check" CHECK (("state" = 'pending') = ("decided_at" IS NULL));
CREATE INDEX "approval_due_idx" ON "approval" ("expires_at") WHERE "state" = 'pending';
ALTER TABLE "transaction"
    DROP CONSTRAINT "transaction_instrument_type_check",
    ADD CONSTRAINT "transaction_instrument_type_check" CHECK ("instrument_type" IN ('pan', 'redirect'));
