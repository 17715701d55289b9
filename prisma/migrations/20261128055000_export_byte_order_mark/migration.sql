-- AlterTable
ALTER TABLE "export" ADD COLUMN     "byte_order_mark" BOOLEAN NOT NULL DEFAULT false;

-- By hand from here: what the models cannot say.

ALTER TABLE "export"
    ADD CONSTRAINT "export_byte_order_mark_check" CHECK ("format" = 'csv' OR NOT "byte_order_mark");

-- The audit log shows the form of the file.
DROP TRIGGER "export_audited" ON "export";
CREATE TRIGGER "export_audited" AFTER INSERT OR DELETE ON "export"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('export', 'export', 'id', 'type,format,byte_order_mark,status', 'filter');
