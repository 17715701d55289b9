-- AlterTable
ALTER TABLE "merchant_account" ADD COLUMN     "late_authorizations" TEXT NOT NULL DEFAULT 'release';

-- AlterTable
ALTER TABLE "operation" ADD COLUMN     "origin" TEXT NOT NULL DEFAULT 'requested',
ADD COLUMN     "releases_id" UUID;

-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "refund_excess_amount" INTEGER NOT NULL DEFAULT 0;

-- AddForeignKey
ALTER TABLE "operation" ADD CONSTRAINT "operation_merchant_account_id_releases_id_fkey" FOREIGN KEY ("merchant_account_id", "releases_id") REFERENCES "operation"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the models cannot say.

ALTER TABLE "merchant_account"
    ADD CONSTRAINT "merchant_account_late_authorizations_check" CHECK ("late_authorizations" IN ('release', 'accept'));

DROP TRIGGER "merchant_account_audited" ON "merchant_account";
CREATE TRIGGER "merchant_account_audited" AFTER INSERT OR DELETE ON "merchant_account"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('merchant-account', 'merchant-account', 'id', 'display_name,over_capture_amount,over_capture_percentage,allows_card_like_identifiers,late_authorizations', '');
DROP TRIGGER "merchant_account_change_audited" ON "merchant_account";
CREATE TRIGGER "merchant_account_change_audited" AFTER UPDATE ON "merchant_account"
    FOR EACH ROW WHEN ((OLD."display_name", OLD."over_capture_amount", OLD."over_capture_percentage", OLD."allows_card_like_identifiers", OLD."late_authorizations") IS DISTINCT FROM (NEW."display_name", NEW."over_capture_amount", NEW."over_capture_percentage", NEW."allows_card_like_identifiers", NEW."late_authorizations"))
    EXECUTE FUNCTION "audit_change"('merchant-account', 'merchant-account', 'id', 'display_name,over_capture_amount,over_capture_percentage,allows_card_like_identifiers,late_authorizations', '');

-- Only a refund that was made at the provider can be above the captured amount. The excess says by how much.
ALTER TABLE "transaction"
    ADD CONSTRAINT "transaction_refund_excess_check" CHECK ("refund_excess_amount" BETWEEN 0 AND 99999999),
    DROP CONSTRAINT "transaction_refunded_check",
    ADD CONSTRAINT "transaction_refunded_check" CHECK (
        "refunded_amount" + "refund_pending_amount"
            <= "captured_amount" + "capture_reversed_amount" + "refund_excess_amount"
    );

ALTER TABLE "operation"
    ADD CONSTRAINT "operation_origin_check" CHECK (
        "origin" = 'requested' OR ("origin" = 'provider' AND "status" = 'succeeded' AND "idempotency_key" IS NULL)
    ),
    DROP CONSTRAINT "operation_kind_check",
    ADD CONSTRAINT "operation_kind_check" CHECK (
        "kind" IN ('authorize', 'increase', 'reauthorize', 'capture', 'refund', 'void', 'cancel', 'release', 'redeem',
            'unredeem')
    ),
    DROP CONSTRAINT "operation_unsent_check",
    ADD CONSTRAINT "operation_unsent_check" CHECK (
        NOT "unsent" OR ("kind" IN ('authorize', 'unredeem', 'release') AND "accepted_at" IS NULL)
    ),
    ADD CONSTRAINT "operation_releases_check" CHECK (("kind" = 'release') = ("releases_id" IS NOT NULL));

-- The provider's id of an operation is booked once, whoever reports it: a notice, a look-up or a settlement.
CREATE UNIQUE INDEX "operation_made_elsewhere_key"
    ON "operation" ("merchant_account_id", "payment_service_id", "kind", "provider_reference")
    WHERE "origin" = 'provider';

-- A late approval is released once.
CREATE UNIQUE INDEX "operation_releases_key" ON "operation" ("merchant_account_id", "releases_id")
    WHERE "kind" = 'release';

-- Names an operation that the provider made by its booking, because nobody requested it.
CREATE OR REPLACE FUNCTION "audit_operation"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "noun" text := CASE NEW."kind" WHEN 'authorize' THEN 'authorization' WHEN 'reauthorize' THEN 'reauthorization'
        WHEN 'unredeem' THEN 'reversal' WHEN 'redeem' THEN 'redemption' ELSE NEW."kind" END;
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM "write_audit_entry"(NEW."merchant_account_id",
            "noun" || CASE NEW."origin" WHEN 'provider' THEN '.booked' ELSE '.requested' END, 'transaction',
            NEW."transaction_id"::text, NULL, jsonb_strip_nulls(jsonb_build_object('operation_id', NEW."id", 'status', NEW."status",
                'amount', NEW."amount", 'currency', NEW."currency", 'payment_service_id', NEW."payment_service_id",
                'external_identifier', NEW."external_identifier", 'reason', NEW."reason")));
    ELSE
        PERFORM "write_audit_entry"(NEW."merchant_account_id", "noun" || '.' || NEW."status", 'transaction',
            NEW."transaction_id"::text,
            jsonb_build_object('operation_id', NEW."id", 'status', OLD."status", 'amount', OLD."amount"),
            jsonb_strip_nulls(jsonb_build_object('operation_id', NEW."id", 'status', NEW."status", 'amount', NEW."amount",
                'error_code', NEW."error_code")));
    END IF;
    RETURN NULL;
END
$$;
