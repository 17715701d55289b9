-- AlterTable
ALTER TABLE "dashboard_session" ADD COLUMN     "address" TEXT,
ADD COLUMN     "person_id" UUID,
ADD COLUMN     "signed_in_with" TEXT NOT NULL DEFAULT 'sandbox',
ADD COLUMN     "user_agent" TEXT;

-- CreateTable
CREATE TABLE "dashboard_person" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "subject" TEXT,
    "password_hash" TEXT,
    "sealed_totp" TEXT,
    "totp_step" INTEGER,
    "recovery_digests" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "invitation_digest" TEXT,
    "invitation_expires_at" TIMESTAMPTZ(3),
    "signed_in_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dashboard_person_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateTable
CREATE TABLE "dashboard_passkey" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "credential_id" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "dashboard_passkey_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateTable
CREATE TABLE "dashboard_sign_in" (
    "merchant_account_id" TEXT NOT NULL,
    "person_id" UUID NOT NULL,
    "network" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "failed_at" TIMESTAMPTZ(3) NOT NULL,
    "succeeded_at" TIMESTAMPTZ(3),

    CONSTRAINT "dashboard_sign_in_pkey" PRIMARY KEY ("merchant_account_id","person_id","network")
);

-- CreateTable
CREATE TABLE "dashboard_challenge" (
    "digest" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "person_id" UUID,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dashboard_challenge_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE UNIQUE INDEX "dashboard_person_id_key" ON "dashboard_person"("id");

-- CreateIndex
CREATE INDEX "dashboard_passkey_merchant_account_id_person_id_idx" ON "dashboard_passkey"("merchant_account_id", "person_id");

-- CreateIndex
CREATE UNIQUE INDEX "dashboard_passkey_merchant_account_id_credential_id_key" ON "dashboard_passkey"("merchant_account_id", "credential_id");

-- CreateIndex
CREATE INDEX "dashboard_challenge_expires_at_idx" ON "dashboard_challenge"("expires_at");

-- AddForeignKey
ALTER TABLE "dashboard_person" ADD CONSTRAINT "dashboard_person_merchant_account_id_fkey" FOREIGN KEY ("merchant_account_id") REFERENCES "merchant_account"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "dashboard_passkey" ADD CONSTRAINT "dashboard_passkey_merchant_account_id_person_id_fkey" FOREIGN KEY ("merchant_account_id", "person_id") REFERENCES "dashboard_person"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- By hand from here: what the models cannot say.

ALTER TABLE "dashboard_session"
    ADD CONSTRAINT "dashboard_session_signed_in_with_check"
        CHECK ("signed_in_with" IN ('sandbox', 'password', 'recovery_code', 'passkey', 'oidc')),
    ADD CONSTRAINT "dashboard_session_person_check" CHECK (("person_id" IS NULL) = ("signed_in_with" = 'sandbox'));

ALTER TABLE "dashboard_person"
    ADD CONSTRAINT "dashboard_person_role_check" CHECK ("role" IN ('owner', 'developer', 'support', 'analyst')),
    ADD CONSTRAINT "dashboard_person_state_check" CHECK ("state" IN ('invited', 'active', 'suspended')),
    -- Only an invited person has an invitation.
    ADD CONSTRAINT "dashboard_person_invitation_check"
        CHECK (("state" = 'invited' OR "invitation_digest" IS NULL)
            AND ("invitation_digest" IS NULL) = ("invitation_expires_at" IS NULL)),
    -- A password counts only with one-time codes. A person of an identity provider has neither.
    ADD CONSTRAINT "dashboard_person_password_check"
        CHECK ("password_hash" IS NULL OR ("sealed_totp" IS NOT NULL AND "subject" IS NULL));

ALTER TABLE "dashboard_challenge"
    ADD CONSTRAINT "dashboard_challenge_purpose_check"
        CHECK ("purpose" IN ('passkey_sign_in', 'passkey_creation', 'oidc'));

-- An identity provider vouches for its own people alone, so a local account may have the same address.
CREATE UNIQUE INDEX "dashboard_person_email_key" ON "dashboard_person"("merchant_account_id", "email") WHERE "subject" IS NULL;
CREATE UNIQUE INDEX "dashboard_person_subject_key" ON "dashboard_person"("merchant_account_id", "subject") WHERE "subject" IS NOT NULL;

CREATE TRIGGER "dashboard_person_audited" AFTER INSERT OR DELETE ON "dashboard_person"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('dashboard-person', 'dashboard-person', 'id', 'email,role,state,subject',
        'password_hash,sealed_totp,recovery_digests,invitation_digest');
-- A sign-in has the entry of its session.
CREATE TRIGGER "dashboard_person_change_audited" AFTER UPDATE ON "dashboard_person"
    FOR EACH ROW WHEN ((OLD."email", OLD."role", OLD."state", OLD."subject", OLD."password_hash", OLD."sealed_totp",
        OLD."recovery_digests", OLD."invitation_digest") IS DISTINCT FROM (NEW."email", NEW."role", NEW."state",
        NEW."subject", NEW."password_hash", NEW."sealed_totp", NEW."recovery_digests", NEW."invitation_digest"))
    EXECUTE FUNCTION "audit_change"('dashboard-person', 'dashboard-person', 'id', 'email,role,state,subject',
        'password_hash,sealed_totp,recovery_digests,invitation_digest');
CREATE TRIGGER "dashboard_passkey_audited" AFTER INSERT OR DELETE ON "dashboard_passkey"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('dashboard-passkey', 'dashboard-passkey', 'id', 'person_id', '');
