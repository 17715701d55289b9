-- CreateTable
CREATE TABLE "transaction_retry_plan" (
    "merchant_account_id" TEXT NOT NULL,
    "transaction_id" UUID NOT NULL,
    "schedule" JSONB NOT NULL,
    "until_days" INTEGER NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "reason" TEXT,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "declined_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "after_operation_id" UUID,
    "next_try_at" TIMESTAMPTZ(3),
    "next_look_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "transaction_retry_plan_pkey" PRIMARY KEY ("merchant_account_id","transaction_id")
);

-- AddForeignKey
ALTER TABLE "transaction_retry_plan" ADD CONSTRAINT "transaction_retry_plan_merchant_account_id_transaction_id_fkey" FOREIGN KEY ("merchant_account_id", "transaction_id") REFERENCES "transaction"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transaction_retry_plan" ADD CONSTRAINT "transaction_retry_plan_merchant_account_id_after_operation_fkey" FOREIGN KEY ("merchant_account_id", "after_operation_id") REFERENCES "operation"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the models cannot say.

ALTER TABLE "transaction_retry_plan"
    ADD CONSTRAINT "transaction_retry_plan_status_check" CHECK (
        "status" IN ('active', 'succeeded', 'exhausted', 'stopped', 'ended')
            AND ("status" IN ('exhausted', 'ended')) = ("reason" IS NOT NULL)
    ),
    ADD CONSTRAINT "transaction_retry_plan_reason_check" CHECK ("reason" IN (
        'no_time_left', 'scheme_limit', 'tries_forbidden', 'new_card_data_needed', 'not_retriable',
        'payment_method_unusable', 'payment_service_unusable', 'payment_canceled'
    )),
    -- A month of paydays has at most 31 tries.
    ADD CONSTRAINT "transaction_retry_plan_tries_check" CHECK ("tries" BETWEEN 0 AND 31 AND "until_days" BETWEEN 1 AND 30),
    ADD CONSTRAINT "transaction_retry_plan_declined_check" CHECK (
        ("declined_at" IS NULL) = ("ends_at" IS NULL) AND "ends_at" > "declined_at"
            AND ("declined_at" IS NULL) = ("after_operation_id" IS NULL)
            AND ("tries" = 0 OR "declined_at" IS NOT NULL)
    ),
    -- Only an active plan has a next try, and a worker that looks at it. No try comes after the end.
    ADD CONSTRAINT "transaction_retry_plan_next_check" CHECK (
        ("status" = 'active') = ("next_look_at" IS NOT NULL)
            AND ("next_try_at" IS NULL OR ("status" = 'active' AND "declined_at" IS NOT NULL AND "next_try_at" <= "ends_at"))
    );

-- The worker goes from merchant account to merchant account, and finds the due plans of each.
CREATE INDEX "transaction_retry_plan_due_idx" ON "transaction_retry_plan"("merchant_account_id", "next_look_at")
    WHERE "status" = 'active';

-- Counts the authorisations of the card behind a stored payment method, for one amount, since a moment. Counts at most `most`.
-- VOLATILE, so that the function sees authorisations that were committed while its statement waited for a lock. Payments with a card
-- that was not stored do not count. A plan of a payment ends at most 30 days after the first decline, so a try in the period is of a
-- payment that is at most 90 days old.
CREATE FUNCTION "card_attempts"("of_account" text, "of_method" uuid, "of_amount" integer, "of_currency" text, "counted_since" timestamptz, "most" integer)
RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN (
        SELECT count(*) FROM (
            SELECT FROM (
                SELECT m."id" FROM "payment_method" m WHERE m."merchant_account_id" = "of_account" AND m."id" = "of_method"
                UNION
                SELECT s."id" FROM "payment_method" m
                JOIN "payment_method" s ON s."merchant_account_id" = m."merchant_account_id" AND s."fingerprint" = m."fingerprint"
                WHERE m."merchant_account_id" = "of_account" AND m."id" = "of_method") c
            JOIN "transaction" t ON t."merchant_account_id" = "of_account" AND t."payment_method_id" = c."id"
                AND t."created_at" > "counted_since" - interval '60 days' AND t."currency" = "of_currency"
            JOIN "operation" o ON o."merchant_account_id" = "of_account" AND o."transaction_id" = t."id"
                AND o."kind" = 'authorize' AND o."amount" = "of_amount" AND o."created_at" > "counted_since" AND NOT o."unsent"
            LIMIT "most") a);
END
$$;

-- The audit log names who asked for a plan, and who stopped it.
CREATE TRIGGER "transaction_retry_plan_audited" AFTER INSERT OR DELETE ON "transaction_retry_plan"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('retry-plan', 'transaction', 'transaction_id', 'schedule,until_days,status', '');
CREATE TRIGGER "transaction_retry_plan_change_audited" AFTER UPDATE ON "transaction_retry_plan"
    FOR EACH ROW WHEN (OLD."status" IS DISTINCT FROM NEW."status")
    EXECUTE FUNCTION "audit_change"('retry-plan', 'transaction', 'transaction_id', 'status,reason,tries', '');
