-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "routing" JSONB;

-- CreateTable
CREATE TABLE "routing_rule_set" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "latest_version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "routing_rule_set_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateTable
CREATE TABLE "routing_rule_set_version" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "rule_set_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "rules" JSONB NOT NULL,
    "note" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "routing_rule_set_version_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateTable
CREATE TABLE "routing_activation" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "version_id" UUID,
    "active_from" TIMESTAMPTZ(3) NOT NULL,
    "note" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "routing_activation_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateTable
CREATE TABLE "routing_value_set" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "values" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "routing_value_set_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "routing_rule_set_version_merchant_account_id_rule_set_id_nu_key" ON "routing_rule_set_version"("merchant_account_id", "rule_set_id", "number");

-- CreateIndex
CREATE INDEX "routing_activation_merchant_account_id_active_from_id_idx" ON "routing_activation"("merchant_account_id", "active_from", "id");

-- AddForeignKey
ALTER TABLE "routing_rule_set" ADD CONSTRAINT "routing_rule_set_merchant_account_id_fkey" FOREIGN KEY ("merchant_account_id") REFERENCES "merchant_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "routing_rule_set_version" ADD CONSTRAINT "routing_rule_set_version_merchant_account_id_rule_set_id_fkey" FOREIGN KEY ("merchant_account_id", "rule_set_id") REFERENCES "routing_rule_set"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "routing_activation" ADD CONSTRAINT "routing_activation_merchant_account_id_fkey" FOREIGN KEY ("merchant_account_id") REFERENCES "merchant_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "routing_activation" ADD CONSTRAINT "routing_activation_merchant_account_id_version_id_fkey" FOREIGN KEY ("merchant_account_id", "version_id") REFERENCES "routing_rule_set_version"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "routing_value_set" ADD CONSTRAINT "routing_value_set_merchant_account_id_fkey" FOREIGN KEY ("merchant_account_id") REFERENCES "merchant_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the models cannot say.

ALTER TABLE "routing_rule_set"
    ADD CONSTRAINT "routing_rule_set_latest_version_check" CHECK ("latest_version" >= 0);

ALTER TABLE "routing_rule_set_version"
    ADD CONSTRAINT "routing_rule_set_version_number_check" CHECK ("number" >= 1),
    ADD CONSTRAINT "routing_rule_set_version_rules_check" CHECK (jsonb_typeof("rules") = 'array');

ALTER TABLE "routing_value_set"
    ADD CONSTRAINT "routing_value_set_kind_check" CHECK ("kind" IN ('country', 'bin', 'text'));

-- A decided payment names its version, so the version stays as it was.
CREATE TRIGGER "routing_rule_set_version_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "routing_rule_set_version"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

CREATE TRIGGER "routing_activation_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "routing_activation"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

CREATE TRIGGER "routing_rule_set_audited" AFTER INSERT OR DELETE ON "routing_rule_set"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('routing-rule-set', 'routing-rule-set', 'id', 'name,latest_version,updated_at', '');
CREATE TRIGGER "routing_rule_set_change_audited" AFTER UPDATE ON "routing_rule_set"
    FOR EACH ROW WHEN (OLD."updated_at" IS DISTINCT FROM NEW."updated_at")
    EXECUTE FUNCTION "audit_change"('routing-rule-set', 'routing-rule-set', 'id', 'name,latest_version,updated_at', '');

-- The rules themselves are not repeated: the version keeps them for ever.
CREATE TRIGGER "routing_rule_set_version_audited" AFTER INSERT ON "routing_rule_set_version"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('routing-rule-set-version', 'routing-rule-set-version', 'id', 'rule_set_id,number,note', '');

CREATE TRIGGER "routing_activation_audited" AFTER INSERT ON "routing_activation"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('routing-activation', 'routing-activation', 'id', 'version_id,active_from,note', '');

CREATE TRIGGER "routing_value_set_audited" AFTER INSERT OR DELETE ON "routing_value_set"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('routing-value-set', 'routing-value-set', 'id', 'name,kind,values,updated_at', '');
CREATE TRIGGER "routing_value_set_change_audited" AFTER UPDATE ON "routing_value_set"
    FOR EACH ROW WHEN (OLD."updated_at" IS DISTINCT FROM NEW."updated_at")
    EXECUTE FUNCTION "audit_change"('routing-value-set', 'routing-value-set', 'id', 'name,kind,values,updated_at', '');
