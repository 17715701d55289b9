-- AlterTable
ALTER TABLE "approval" ADD COLUMN     "return_digest" TEXT;

-- AlterTable
ALTER TABLE "operation" ADD COLUMN     "sealed_form" TEXT,
ADD COLUMN     "sealed_returned" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "approval_return_digest_key" ON "approval"("return_digest");

-- By hand: what the models cannot say.
ALTER TABLE "approval"
    DROP CONSTRAINT "approval_state_check",
    ADD CONSTRAINT "approval_state_check" CHECK ("state" IN ('pending', 'approved', 'refused', 'expired', 'returned')),
    -- A buyer comes back from the provider's page alone, and decides there, not at ours.
    ADD CONSTRAINT "approval_return_check" CHECK (
        ("return_digest" IS NULL OR "kind" = 'redirect')
        AND ("return_digest" IS NOT NULL OR "state" <> 'returned')
        AND ("return_digest" IS NULL OR "state" IN ('pending', 'returned', 'expired'))
    );
ALTER TABLE "operation"
    -- Both hold personal data, and no later step needs them.
    ADD CONSTRAINT "operation_returned_check" CHECK (
        "status" = 'pending' OR num_nonnulls("sealed_returned", "sealed_form") = 0
    );
