-- AlterTable
ALTER TABLE "webhook_endpoint" ADD COLUMN     "body_format" TEXT NOT NULL DEFAULT 'paygraph';

-- By hand from here: what the models cannot say.

ALTER TABLE "webhook_endpoint"
    ADD CONSTRAINT "webhook_endpoint_body_format_check" CHECK ("body_format" IN ('paygraph', 'cloud_events'));

-- The audit log records the format. Processes of an earlier version leave the column as it is.
CREATE OR REPLACE TRIGGER "webhook_endpoint_audited" AFTER INSERT OR DELETE ON "webhook_endpoint"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('webhook-endpoint', 'webhook-endpoint', 'id', 'url,description,event_names,body_format,auto_disable,header_names,basic_auth_username,disabled_at,deleted_at', 'sealed_headers,sealed_basic_password');
CREATE OR REPLACE TRIGGER "webhook_endpoint_change_audited" AFTER UPDATE ON "webhook_endpoint"
    FOR EACH ROW WHEN ((OLD."url", OLD."description", OLD."event_names", OLD."body_format", OLD."auto_disable", OLD."header_names", OLD."basic_auth_username", OLD."disabled_at", OLD."deleted_at", OLD."sealed_headers", OLD."sealed_basic_password") IS DISTINCT FROM (NEW."url", NEW."description", NEW."event_names", NEW."body_format", NEW."auto_disable", NEW."header_names", NEW."basic_auth_username", NEW."disabled_at", NEW."deleted_at", NEW."sealed_headers", NEW."sealed_basic_password"))
    EXECUTE FUNCTION "audit_change"('webhook-endpoint', 'webhook-endpoint', 'id', 'url,description,event_names,body_format,auto_disable,header_names,basic_auth_username,disabled_at,deleted_at', 'sealed_headers,sealed_basic_password');
