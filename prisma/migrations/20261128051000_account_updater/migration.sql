-- A provider tells that a stored card changed, or that its token ended. The digest finds the token without opening all.
ALTER TABLE "payment_method_token" ADD COLUMN     "token_digest" TEXT,
ADD COLUMN     "reported_at" TIMESTAMPTZ(3);

-- By hand from here: what the models cannot say.

-- A disabled token pays nothing, and stays so that a late report does not store the token again.
ALTER TABLE "payment_method_token"
    DROP CONSTRAINT "payment_method_token_status_check",
    ADD CONSTRAINT "payment_method_token_status_check" CHECK ("status" IN ('active', 'revoking', 'disabled'));

-- The end of a token may leave its payment method unchanged, so the token has an entry of its own.
CREATE TRIGGER "payment_method_token_disabled_audited" AFTER UPDATE ON "payment_method_token"
    FOR EACH ROW WHEN (NEW."status" = 'disabled' AND OLD."status" <> 'disabled')
    EXECUTE FUNCTION "audit_change"('payment-method-token', 'payment-method', 'payment_method_id', 'status,payment_service_id', 'sealed_token');

-- A provider may replace the card alone. The entry names the columns of the card, and holds no digits.
DROP TRIGGER "payment_method_audited" ON "payment_method";
CREATE TRIGGER "payment_method_audited" AFTER INSERT OR DELETE ON "payment_method"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('payment-method', 'payment-method', 'id', 'method,instrument_type,status,buyer_id,external_identifier,country,currency,deleted_at', 'scheme,last_four,expiration_date,sealed_instrument');
DROP TRIGGER "payment_method_change_audited" ON "payment_method";
CREATE TRIGGER "payment_method_change_audited" AFTER UPDATE ON "payment_method"
    FOR EACH ROW WHEN ((OLD."instrument_type", OLD."status", OLD."buyer_id", OLD."external_identifier", OLD."country", OLD."currency", OLD."deleted_at", OLD."scheme", OLD."last_four", OLD."expiration_date", OLD."sealed_instrument") IS DISTINCT FROM (NEW."instrument_type", NEW."status", NEW."buyer_id", NEW."external_identifier", NEW."country", NEW."currency", NEW."deleted_at", NEW."scheme", NEW."last_four", NEW."expiration_date", NEW."sealed_instrument"))
    EXECUTE FUNCTION "audit_change"('payment-method', 'payment-method', 'id', 'method,instrument_type,status,buyer_id,external_identifier,country,currency,deleted_at', 'scheme,last_four,expiration_date,sealed_instrument');
