-- AlterTable
ALTER TABLE "anti_fraud_service" ADD COLUMN     "fallback" TEXT NOT NULL DEFAULT 'accept';

-- By hand from here: what the models cannot say.

ALTER TABLE "anti_fraud_service" ADD CONSTRAINT "anti_fraud_service_fallback_check"
    CHECK ("fallback" IN ('accept', 'review', 'reject'));

-- The audit log shows each change of the rule.
DROP TRIGGER "anti_fraud_service_audited" ON "anti_fraud_service";
DROP TRIGGER "anti_fraud_service_change_audited" ON "anti_fraud_service";

CREATE TRIGGER "anti_fraud_service_audited" AFTER INSERT OR DELETE ON "anti_fraud_service"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('anti-fraud-service', 'anti-fraud-service', 'id', 'definition_id,display_name,active,newer_interface_enabled,fallback,fields,deleted_at', 'sealed_fields,webhook_token');
CREATE TRIGGER "anti_fraud_service_change_audited" AFTER UPDATE ON "anti_fraud_service"
    FOR EACH ROW WHEN ((OLD."definition_id", OLD."display_name", OLD."active", OLD."newer_interface_enabled", OLD."fallback", OLD."fields", OLD."deleted_at", OLD."sealed_fields", OLD."webhook_token") IS DISTINCT FROM (NEW."definition_id", NEW."display_name", NEW."active", NEW."newer_interface_enabled", NEW."fallback", NEW."fields", NEW."deleted_at", NEW."sealed_fields", NEW."webhook_token"))
    EXECUTE FUNCTION "audit_change"('anti-fraud-service', 'anti-fraud-service', 'id', 'definition_id,display_name,active,newer_interface_enabled,fallback,fields,deleted_at', 'sealed_fields,webhook_token');
