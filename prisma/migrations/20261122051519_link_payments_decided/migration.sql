-- By hand: whoever moves a payment of a link on makes its attempt due in the same commit, so that the sweeper of payment links
-- hears of it whatever dies afterwards. Before every time: it is due by any clock, and no lease is ever equal to it.
CREATE FUNCTION "wake_payment_link_attempt"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "payment_link_attempt" SET "look_at" = '-infinity'
    WHERE "merchant_account_id" = NEW."merchant_account_id" AND "payment_link_id" = NEW."payment_link_id"
        AND "id" = NEW."payment_link_attempt_id" AND "ended_at" IS NULL;
    RETURN NULL;
END
$$;

CREATE TRIGGER "transaction_payment_link_attempt" AFTER UPDATE OF "status" ON "transaction"
    FOR EACH ROW WHEN (NEW."payment_link_attempt_id" IS NOT NULL AND NEW."status" IS DISTINCT FROM OLD."status")
    EXECUTE FUNCTION "wake_payment_link_attempt"();
