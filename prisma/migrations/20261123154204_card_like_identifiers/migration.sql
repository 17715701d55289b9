-- AlterTable
ALTER TABLE "merchant_account" ADD COLUMN     "allows_card_like_identifiers" BOOLEAN NOT NULL DEFAULT false;

-- The audit log shows the setting.
DROP TRIGGER "merchant_account_audited" ON "merchant_account";
DROP TRIGGER "merchant_account_change_audited" ON "merchant_account";
CREATE TRIGGER "merchant_account_audited" AFTER INSERT OR DELETE ON "merchant_account"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('merchant-account', 'merchant-account', 'id', 'display_name,over_capture_amount,over_capture_percentage,allows_card_like_identifiers', '');
CREATE TRIGGER "merchant_account_change_audited" AFTER UPDATE ON "merchant_account"
    FOR EACH ROW WHEN ((OLD."display_name", OLD."over_capture_amount", OLD."over_capture_percentage", OLD."allows_card_like_identifiers") IS DISTINCT FROM (NEW."display_name", NEW."over_capture_amount", NEW."over_capture_percentage", NEW."allows_card_like_identifiers"))
    EXECUTE FUNCTION "audit_change"('merchant-account', 'merchant-account', 'id', 'display_name,over_capture_amount,over_capture_percentage,allows_card_like_identifiers', '');
