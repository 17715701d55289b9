-- AlterTable
ALTER TABLE "books_sweep" ADD COLUMN     "proof" JSONB;

-- By hand from here: what the models cannot say.

-- Refuses each way of new money to a provider while the fact of the hold stands: a requested operation, and another
-- sending of a pending one. An operation that the provider made, and a reversal or release that nobody has sent, may be
-- recorded. The refusal has a code of its own.
CREATE FUNCTION "refuse_while_held"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM "installation_fact" WHERE "name" = 'payments_held') THEN
        RAISE EXCEPTION 'payments are held back after a restore' USING ERRCODE = 'PH001';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER "operation_held" BEFORE INSERT ON "operation"
    FOR EACH ROW WHEN (NEW."origin" = 'requested' AND NEW."kind" NOT IN ('unredeem', 'release'))
    EXECUTE FUNCTION "refuse_while_held"();
CREATE TRIGGER "operation_sending_held" BEFORE UPDATE OF "sent_at" ON "operation"
    FOR EACH ROW WHEN (NEW."sent_at" IS DISTINCT FROM OLD."sent_at")
    EXECUTE FUNCTION "refuse_while_held"();

-- Writes an entry about the hold for each merchant account, because the hold binds all of them.
CREATE FUNCTION "audit_hold"("action" text, "was" jsonb, "becomes" jsonb) RETURNS void LANGUAGE sql AS $$
    SELECT "write_audit_entry"(m."id", "action", 'installation', 'payments', "was", "becomes")
    FROM "merchant_account" m ORDER BY m."id"
$$;

-- Holds payments back. Waits until the claims under way have committed, so that no claim passes after the commit of the
-- hold. Answers false, and changes nothing, when payments are held back already.
CREATE FUNCTION "hold_payments"("hold" jsonb, "moment" timestamptz) RETURNS boolean LANGUAGE plpgsql
    SET lock_timeout TO '10s' AS $$
BEGIN
    LOCK TABLE "operation" IN SHARE MODE;
    INSERT INTO "installation_fact" ("name", "value", "created_at")
    VALUES ('payments_held', "hold"::text, "moment") ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM "audit_hold"('payments.held', NULL, "hold");
    RETURN true;
END
$$;

-- Ends the hold that began at a moment. Answers false, and changes nothing, when there is no such hold.
CREATE FUNCTION "release_payments"("began" timestamptz, "state" jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    "hold" text;
BEGIN
    DELETE FROM "installation_fact" WHERE "name" = 'payments_held' AND "created_at" = "began"
    RETURNING "value" INTO "hold";
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM "audit_hold"('payments.released', "hold"::jsonb, "state");
    RETURN true;
END
$$;
