-- CreateTable
CREATE TABLE "dashboard_session" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "person" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "former_digest" TEXT,
    "rotated_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "dashboard_session_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "dashboard_session_id_key" ON "dashboard_session"("id");

-- By hand from here: what the models cannot say.

ALTER TABLE "dashboard_session"
    ADD CONSTRAINT "dashboard_session_role_check" CHECK ("role" IN ('owner', 'developer', 'support', 'analyst'));

-- The audit log shows each sign-in and its end. A rotation is no change of a person's rights.
CREATE TRIGGER "dashboard_session_audited" AFTER INSERT OR DELETE ON "dashboard_session"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('dashboard-session', 'dashboard-session', 'id', 'person,role,expires_at', '');
CREATE TRIGGER "dashboard_session_change_audited" AFTER UPDATE ON "dashboard_session"
    FOR EACH ROW WHEN ((OLD."role", OLD."ended_at") IS DISTINCT FROM (NEW."role", NEW."ended_at"))
    EXECUTE FUNCTION "audit_change"('dashboard-session', 'dashboard-session', 'id', 'person,role,ended_at', '');
