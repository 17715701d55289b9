-- AlterTable
ALTER TABLE "api_key_pair" ADD COLUMN     "tokens_not_before" TIMESTAMPTZ(3);

-- By hand from here: what the models cannot say.

DROP TRIGGER "api_key_pair_audited" ON "api_key_pair";
CREATE TRIGGER "api_key_pair_audited" AFTER INSERT OR DELETE ON "api_key_pair"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('api-key-pair', 'api-key-pair', 'id', 'display_name,thumbprint,algorithm,scopes,active,expires_at,tokens_not_before', 'merchant_account_ids,public_key');
DROP TRIGGER "api_key_pair_change_audited" ON "api_key_pair";
CREATE TRIGGER "api_key_pair_change_audited" AFTER UPDATE ON "api_key_pair"
    FOR EACH ROW WHEN ((OLD."display_name", OLD."thumbprint", OLD."algorithm", OLD."scopes", OLD."active", OLD."expires_at", OLD."tokens_not_before", OLD."merchant_account_ids", OLD."public_key") IS DISTINCT FROM (NEW."display_name", NEW."thumbprint", NEW."algorithm", NEW."scopes", NEW."active", NEW."expires_at", NEW."tokens_not_before", NEW."merchant_account_ids", NEW."public_key"))
    EXECUTE FUNCTION "audit_change"('api-key-pair', 'api-key-pair', 'id', 'display_name,thumbprint,algorithm,scopes,active,expires_at,tokens_not_before', 'merchant_account_ids,public_key');
