-- AlterTable
ALTER TABLE "dashboard_passkey" ADD COLUMN     "name" VARCHAR(60);

--- By hand from here: what the models cannot say.

-- A use of a passkey has the entry of its session, so a change of the name alone has an entry.
DROP TRIGGER "dashboard_passkey_audited" ON "dashboard_passkey";
CREATE TRIGGER "dashboard_passkey_audited" AFTER INSERT OR DELETE ON "dashboard_passkey"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('dashboard-passkey', 'dashboard-passkey', 'id', 'person_id,name', '');
CREATE TRIGGER "dashboard_passkey_change_audited" AFTER UPDATE ON "dashboard_passkey"
    FOR EACH ROW WHEN (OLD."name" IS DISTINCT FROM NEW."name")
    EXECUTE FUNCTION "audit_change"('dashboard-passkey', 'dashboard-passkey', 'id', 'person_id,name', '');
