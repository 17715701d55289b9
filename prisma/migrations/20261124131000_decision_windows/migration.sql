-- AlterTable
ALTER TABLE "operation" ADD COLUMN     "decision_until" TIMESTAMPTZ(3);

-- By hand from here: what the models cannot say.

-- The windows of the definitions hold for later acceptances. Operations that wait now get two weeks, or an hour after the
-- end of the buyer's approval.
UPDATE "operation" o SET
    "decision_until" = greatest(o."accepted_at" + interval '14 days', (
        SELECT a."expires_at" + interval '1 hour' FROM "approval" a
        WHERE a."merchant_account_id" = o."merchant_account_id" AND a."operation_id" = o."id"))
WHERE o."status" = 'pending' AND o."accepted_at" IS NOT NULL;

-- An operation that nobody claims any more is claimed at the end of its window.
UPDATE "operation" SET "next_attempt_at" = "decision_until"
WHERE "status" = 'pending' AND "accepted_at" IS NOT NULL AND "next_attempt_at" IS NULL;
