-- Each outcome names the columns of the card, mostly with the same values. So the words were removed and written again with
-- each outcome: a fifth of the row versions of an authorisation and a capture. Now only a changed word is written.

CREATE FUNCTION "write_changed_transaction_terms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM "transaction_term" x
    USING (
        SELECT "transaction_terms"(OLD), OLD."created_at" EXCEPT SELECT "transaction_terms"(NEW), NEW."created_at"
    ) AS "gone" ("term", "created_at")
    WHERE x."merchant_account_id" = OLD."merchant_account_id" AND x."term" = "gone"."term"
        AND x."created_at" = "gone"."created_at" AND x."transaction_id" = OLD."id";
    INSERT INTO "transaction_term" ("merchant_account_id", "term", "created_at", "transaction_id")
    SELECT NEW."merchant_account_id", "added"."term", "added"."created_at", NEW."id"
    FROM (
        SELECT "transaction_terms"(NEW), NEW."created_at" EXCEPT SELECT "transaction_terms"(OLD), OLD."created_at"
    ) AS "added" ("term", "created_at");
    RETURN NULL;
END
$$;

-- The merchant account and the id of a payment never change.
DROP TRIGGER "transaction_terms" ON "transaction";
CREATE TRIGGER "transaction_terms" AFTER INSERT OR DELETE ON "transaction"
    FOR EACH ROW EXECUTE FUNCTION "write_transaction_terms"();
CREATE TRIGGER "transaction_terms_changed" AFTER UPDATE ON "transaction" FOR EACH ROW
    WHEN ((OLD."created_at", OLD."external_identifier", OLD."buyer", OLD."metadata", OLD."card_bin", OLD."card_last_four",
            OLD."card_fingerprint")
        IS DISTINCT FROM (NEW."created_at", NEW."external_identifier", NEW."buyer", NEW."metadata", NEW."card_bin",
            NEW."card_last_four", NEW."card_fingerprint"))
    EXECUTE FUNCTION "write_changed_transaction_terms"();
