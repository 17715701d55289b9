-- AlterTable
ALTER TABLE "approval" ADD COLUMN     "approved_at" TIMESTAMPTZ(3),
ADD COLUMN     "completion_digest" TEXT,
ADD COLUMN     "session_data" JSONB,
ADD COLUMN     "session_digest" TEXT;

-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "payment_reference" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "approval_session_digest_key" ON "approval"("session_digest");

-- CreateIndex
CREATE UNIQUE INDEX "approval_completion_digest_key" ON "approval"("completion_digest");


-- By hand: what the models cannot say.
ALTER TABLE "approval"
    DROP CONSTRAINT "approval_kind_check",
    ADD CONSTRAINT "approval_kind_check" CHECK ("kind" IN ('redirect', 'challenge', 'session', 'voucher')),
    -- A session has a token to open it with and another one to complete the payment with, and nothing else has.
    ADD CONSTRAINT "approval_session_check" CHECK (
        CASE "kind"
            WHEN 'session' THEN "session_digest" IS NOT NULL AND "completion_digest" IS NOT NULL
            ELSE num_nonnulls("session_digest", "completion_digest", "session_data", "approved_at") = 0
        END
        AND "session_digest" <> "completion_digest"
    ),
    -- What the buyer has not approved is not completed.
    ADD CONSTRAINT "approval_completed_check" CHECK (
        "kind" <> 'session' OR "state" <> 'approved' OR "approved_at" IS NOT NULL
    );
