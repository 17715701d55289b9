-- AlterTable
ALTER TABLE "routing_activation" ADD COLUMN     "api_key_pair_id" UUID;

-- AlterTable
ALTER TABLE "payment_link" ADD COLUMN     "routing_version_id" UUID;

-- By hand from here: what the models cannot say.

-- NOT VALID, because reading every row under this lock would stop payments. The next migration reads them.
ALTER TABLE "payment_link" ADD CONSTRAINT "payment_link_merchant_account_id_routing_version_id_fkey"
    FOREIGN KEY ("merchant_account_id", "routing_version_id")
    REFERENCES "routing_rule_set_version"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;

-- The route of a payment with a key finds the key's activation.
CREATE INDEX "routing_activation_key_idx" ON "routing_activation"("merchant_account_id", "api_key_pair_id", "active_from")
    WHERE "api_key_pair_id" IS NOT NULL;

DROP TRIGGER "routing_activation_audited" ON "routing_activation";
CREATE TRIGGER "routing_activation_audited" AFTER INSERT ON "routing_activation"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('routing-activation', 'routing-activation', 'id', 'version_id,api_key_pair_id,active_from,note', '');
