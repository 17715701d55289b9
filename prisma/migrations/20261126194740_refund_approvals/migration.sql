-- CreateTable
CREATE TABLE "refund_approval" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "amount" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "redemption_id" UUID,
    "force" BOOLEAN NOT NULL,
    "external_identifier" TEXT,
    "reason" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "requested_by" TEXT NOT NULL,
    "requested_by_id" UUID,
    "decided_by" TEXT,
    "decided_by_id" UUID,
    "decision_reason" TEXT,
    "operation_id" UUID,
    "error_code" TEXT,
    "next_attempt_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "refund_approval_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateIndex
CREATE INDEX "refund_approval_merchant_account_id_transaction_id_id_idx" ON "refund_approval"("merchant_account_id", "transaction_id", "id");

-- CreateIndex
CREATE INDEX "refund_approval_merchant_account_id_status_id_idx" ON "refund_approval"("merchant_account_id", "status", "id");

-- CreateIndex
CREATE UNIQUE INDEX "refund_approval_merchant_account_id_operation_id_key" ON "refund_approval"("merchant_account_id", "operation_id");

-- AddForeignKey
ALTER TABLE "refund_approval" ADD CONSTRAINT "refund_approval_merchant_account_id_transaction_id_fkey" FOREIGN KEY ("merchant_account_id", "transaction_id") REFERENCES "transaction"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refund_approval" ADD CONSTRAINT "refund_approval_merchant_account_id_redemption_id_fkey" FOREIGN KEY ("merchant_account_id", "redemption_id") REFERENCES "redemption"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refund_approval" ADD CONSTRAINT "refund_approval_merchant_account_id_operation_id_fkey" FOREIGN KEY ("merchant_account_id", "operation_id") REFERENCES "operation"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the models cannot say.

ALTER TABLE "refund_approval"
    ADD CONSTRAINT "refund_approval_amount_check" CHECK ("amount" BETWEEN 1 AND 99999999),
    ADD CONSTRAINT "refund_approval_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$'),
    ADD CONSTRAINT "refund_approval_target_check" CHECK (
        "target" IN ('payment_method', 'gift_card_redemption', 'all')
            AND ("target" = 'gift_card_redemption') = ("redemption_id" IS NOT NULL)
    ),
    ADD CONSTRAINT "refund_approval_status_check" CHECK (
        "status" IN ('pending', 'approved', 'rejected', 'withdrawn', 'expired', 'failed')
    ),
    ADD CONSTRAINT "refund_approval_decided_check" CHECK (
        ("status" = 'pending') = ("decided_at" IS NULL)
            AND ("status" IN ('pending', 'expired')) = ("decided_by" IS NULL)
            AND ("decided_by" IS NOT NULL OR "decided_by_id" IS NULL)
    ),
    -- Nobody approves an own request. One human may have two accounts with one e-mail address.
    ADD CONSTRAINT "refund_approval_second_person_check" CHECK (
        "status" NOT IN ('approved', 'failed')
            OR ("decided_by" <> "requested_by"
                AND ("decided_by_id" IS NULL OR "requested_by_id" IS NULL OR "decided_by_id" <> "requested_by_id"))
    ),
    -- Only an approved request has a refund. A worker looks at an approved request without a refund.
    ADD CONSTRAINT "refund_approval_refund_check" CHECK (
        ("operation_id" IS NULL OR "status" = 'approved')
            AND ("next_attempt_at" IS NOT NULL) = ("status" = 'approved' AND "operation_id" IS NULL)
    ),
    ADD CONSTRAINT "refund_approval_error_check" CHECK (("status" = 'failed') = ("error_code" IS NOT NULL));

-- The worker finds requests whose time is over, and approved requests whose process died before the refund.
CREATE INDEX "refund_approval_pending_idx" ON "refund_approval"("expires_at") WHERE "status" = 'pending';
CREATE INDEX "refund_approval_due_idx" ON "refund_approval"("next_attempt_at") WHERE "next_attempt_at" IS NOT NULL;

-- Returns the amount that people refunded of a payment without a second person, in minor units. VOLATILE, so that the
-- function sees refunds that were committed while its statement waited for the lock of the payment.
CREATE FUNCTION "refunded_alone"("account" text, "payment" uuid) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN (
        SELECT coalesce(sum(o."amount" - o."reversed_amount"), 0) FROM "operation" o
        WHERE o."merchant_account_id" = "account" AND o."transaction_id" = "payment" AND o."kind" = 'refund'
          AND o."status" IN ('pending', 'succeeded') AND o."actor" ->> 'kind' = 'person'
          AND NOT EXISTS (
            SELECT FROM "refund_approval" p
            WHERE p."merchant_account_id" = "account" AND p."operation_id" = coalesce(o."batch_id", o."id")));
END
$$;

-- The audit log names the person who asked, and the person who decided.
CREATE TRIGGER "refund_approval_audited" AFTER INSERT OR DELETE ON "refund_approval"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('refund-approval', 'refund-approval', 'id',
        'transaction_id,amount,currency,target,redemption_id,force,reason,status,requested_by,requested_by_id,expires_at', '');
CREATE TRIGGER "refund_approval_change_audited" AFTER UPDATE ON "refund_approval"
    FOR EACH ROW WHEN ((OLD."status", OLD."operation_id") IS DISTINCT FROM (NEW."status", NEW."operation_id"))
    EXECUTE FUNCTION "audit_change"('refund-approval', 'refund-approval', 'id',
        'status,decided_by,decided_by_id,decision_reason,error_code,operation_id', '');
