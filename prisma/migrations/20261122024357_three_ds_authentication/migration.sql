-- AlterTable
ALTER TABLE "approval" ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'redirect';

-- AlterTable
ALTER TABLE "operation" ADD COLUMN     "unsent" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "payment_service" ADD COLUMN     "three_d_secure_fallback" TEXT NOT NULL DEFAULT 'continue';

-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "three_d_secure" JSONB;

-- By hand: what the models cannot say.
ALTER TABLE "approval" ADD CONSTRAINT "approval_kind_check" CHECK ("kind" IN ('redirect', 'challenge'));
ALTER TABLE "payment_service"
    ADD CONSTRAINT "payment_service_three_d_secure_fallback_check" CHECK ("three_d_secure_fallback" IN ('continue', 'stop'));
-- What a provider was never sent, it cannot have taken on.
ALTER TABLE "operation"
    ADD CONSTRAINT "operation_unsent_check" CHECK (NOT "unsent" OR ("kind" = 'authorize' AND "accepted_at" IS NULL));
