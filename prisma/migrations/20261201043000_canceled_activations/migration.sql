-- AlterTable
ALTER TABLE "routing_activation" ADD COLUMN     "canceled_at" TIMESTAMPTZ(3);

-- By hand from here: what the models cannot say.

-- An activation that has begun decided about payments, so it stays.
ALTER TABLE "routing_activation"
    ADD CONSTRAINT "routing_activation_canceled_check" CHECK ("canceled_at" < "active_from");

-- The cancellation is the only change of an activation.
DROP TRIGGER "routing_activation_append_only" ON "routing_activation";
CREATE TRIGGER "routing_activation_append_only" BEFORE DELETE OR TRUNCATE ON "routing_activation"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "routing_activation_only_canceled" BEFORE UPDATE ON "routing_activation"
    FOR EACH ROW WHEN (
        OLD."canceled_at" IS NOT NULL OR NEW."canceled_at" IS NULL
            OR (OLD."merchant_account_id", OLD."id", OLD."version_id", OLD."api_key_pair_id", OLD."active_from", OLD."note", OLD."created_at")
                IS DISTINCT FROM
                (NEW."merchant_account_id", NEW."id", NEW."version_id", NEW."api_key_pair_id", NEW."active_from", NEW."note", NEW."created_at")
    )
    EXECUTE FUNCTION "refuse_change"();

CREATE TRIGGER "routing_activation_change_audited" AFTER UPDATE ON "routing_activation"
    FOR EACH ROW WHEN (OLD."canceled_at" IS DISTINCT FROM NEW."canceled_at")
    EXECUTE FUNCTION "audit_change"('routing-activation', 'routing-activation', 'id', 'version_id,api_key_pair_id,active_from,note,canceled_at', '');
