-- CreateTable
CREATE TABLE "unread_webhook" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "payment_service_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "times" INTEGER NOT NULL DEFAULT 1,
    "digest" TEXT NOT NULL,
    "sealed_body" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "applied_at" TIMESTAMPTZ(3),

    CONSTRAINT "unread_webhook_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateIndex
CREATE INDEX "unread_webhook_received_at_idx" ON "unread_webhook"("received_at");

-- CreateIndex
CREATE UNIQUE INDEX "unread_webhook_merchant_account_id_payment_service_id_diges_key" ON "unread_webhook"("merchant_account_id", "payment_service_id", "digest");

-- By hand from here: what the models cannot say.

ALTER TABLE "unread_webhook"
    ADD CONSTRAINT "unread_webhook_times_check" CHECK ("times" >= 1);

-- The audit log names the person who had a webhook read again.
CREATE TRIGGER "unread_webhook_audited" AFTER INSERT OR DELETE ON "unread_webhook"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('unread-webhook', 'unread-webhook', 'id',
        'payment_service_id,provider,reason,times,received_at', 'sealed_body');
CREATE TRIGGER "unread_webhook_change_audited" AFTER UPDATE ON "unread_webhook"
    FOR EACH ROW WHEN (OLD."applied_at" IS DISTINCT FROM NEW."applied_at")
    EXECUTE FUNCTION "audit_change"('unread-webhook', 'unread-webhook', 'id', 'reason,applied_at', 'sealed_body');
