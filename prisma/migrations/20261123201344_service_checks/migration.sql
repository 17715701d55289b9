-- AlterTable
ALTER TABLE "payment_service" ADD COLUMN     "status_checked_at" TIMESTAMPTZ(3),
ADD COLUMN     "status_reason" TEXT;

-- A check of the credentials may find them accepted.
ALTER TABLE "payment_service"
    DROP CONSTRAINT "payment_service_status_check",
    ADD CONSTRAINT "payment_service_status_check" CHECK ("status" IN ('pending', 'created', 'active', 'failed'));

-- The audit log shows each check.
DROP TRIGGER "payment_service_audited" ON "payment_service";
DROP TRIGGER "payment_service_change_audited" ON "payment_service";

CREATE TRIGGER "payment_service_audited" AFTER INSERT OR DELETE ON "payment_service"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('payment-service', 'payment-service', 'id', 'definition_id,method,display_name,position,active,status,status_reason,status_checked_at,accepted_currencies,accepted_countries,fields,merchant_profile,three_d_secure_enabled,three_d_secure_fallback,payment_method_tokenization_enabled,network_tokens_enabled,open_loop,settlement_reporting_enabled,deleted_at', 'sealed_fields,reporting_fields,webhook_token');
CREATE TRIGGER "payment_service_change_audited" AFTER UPDATE ON "payment_service"
    FOR EACH ROW WHEN ((OLD."definition_id", OLD."method", OLD."display_name", OLD."position", OLD."active", OLD."status", OLD."status_reason", OLD."status_checked_at", OLD."accepted_currencies", OLD."accepted_countries", OLD."fields", OLD."merchant_profile", OLD."three_d_secure_enabled", OLD."three_d_secure_fallback", OLD."payment_method_tokenization_enabled", OLD."network_tokens_enabled", OLD."open_loop", OLD."settlement_reporting_enabled", OLD."deleted_at", OLD."sealed_fields", OLD."reporting_fields", OLD."webhook_token") IS DISTINCT FROM (NEW."definition_id", NEW."method", NEW."display_name", NEW."position", NEW."active", NEW."status", NEW."status_reason", NEW."status_checked_at", NEW."accepted_currencies", NEW."accepted_countries", NEW."fields", NEW."merchant_profile", NEW."three_d_secure_enabled", NEW."three_d_secure_fallback", NEW."payment_method_tokenization_enabled", NEW."network_tokens_enabled", NEW."open_loop", NEW."settlement_reporting_enabled", NEW."deleted_at", NEW."sealed_fields", NEW."reporting_fields", NEW."webhook_token"))
    EXECUTE FUNCTION "audit_change"('payment-service', 'payment-service', 'id', 'definition_id,method,display_name,position,active,status,status_reason,status_checked_at,accepted_currencies,accepted_countries,fields,merchant_profile,three_d_secure_enabled,three_d_secure_fallback,payment_method_tokenization_enabled,network_tokens_enabled,open_loop,settlement_reporting_enabled,deleted_at', 'sealed_fields,reporting_fields,webhook_token');
