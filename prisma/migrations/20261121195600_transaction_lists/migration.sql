-- DropIndex
DROP INDEX "transaction_merchant_account_id_status_id_idx";

-- CreateTable
CREATE TABLE "transaction_term" (
    "merchant_account_id" TEXT NOT NULL,
    "term" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "transaction_id" UUID NOT NULL,

    CONSTRAINT "transaction_term_pkey" PRIMARY KEY ("merchant_account_id","term","created_at","transaction_id")
);

-- CreateIndex
CREATE INDEX "transaction_created_idx" ON "transaction"("merchant_account_id", "created_at", "id", "currency", "country", "method", "payment_source", "card_scheme", "payment_service_id", "merchant_initiated", "is_subsequent_payment");

-- CreateIndex
CREATE INDEX "transaction_updated_idx" ON "transaction"("merchant_account_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "transaction_amount_idx" ON "transaction"("merchant_account_id", "amount", "id");

-- CreateIndex
CREATE INDEX "transaction_status_idx" ON "transaction"("merchant_account_id", "status", "created_at", "id");

-- By hand: the rest of what the list of transactions is read by. Every index on "transaction" is written again with each
-- change of a row, so there are few, and what is rare is indexed where it is.

CREATE INDEX "transaction_error_idx" ON "transaction" ("merchant_account_id", "error_code", "created_at", "id")
    WHERE "error_code" IS NOT NULL;
CREATE INDEX "transaction_refunded_idx" ON "transaction" ("merchant_account_id", "created_at", "id")
    WHERE "refunded_amount" > 0;

-- By code point, so that it also answers "begins with", whatever the database sorts by.
CREATE INDEX "transaction_provider_idx" ON "transaction" ("merchant_account_id", "payment_service_transaction_id" COLLATE "C")
    WHERE "payment_service_transaction_id" IS NOT NULL;

-- What a payment is found by beside, and that hardly changes, is written once, beside it: one row for each term.
-- Lists ask with the same functions, so both sides agree on upper and lower case and on where a long value is cut, which
-- keeps it within what an index takes. No name of a pair holds the sign between name and value.

CREATE FUNCTION "search_term"("value" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT 'text:' || left(lower("value"), 200)
$$;

CREATE FUNCTION "metadata_term"("key" text, "value" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT 'metadata:' || left("key", 100) || chr(31) || left("value", 500)
$$;

-- Identifiers whole, for the filters on them, and every word of them and of the buyer's names, for the search. No value may
-- make it fail: a payment must not fail for what it is found by.
CREATE FUNCTION "transaction_terms"("t" "transaction") RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT "search_term"("value") FROM unnest(
        ARRAY[
            t."external_identifier", t."buyer"->>'externalIdentifier', t."buyer"->'billingDetails'->>'emailAddress',
            t."card_last_four"
        ] || regexp_split_to_array(concat_ws(' ',
            t."external_identifier", t."buyer"->>'externalIdentifier', t."buyer"->>'displayName',
            t."buyer"->'billingDetails'->>'firstName', t."buyer"->'billingDetails'->>'lastName'
        ), '\s+')
    ) AS "value" WHERE "value" <> ''
    UNION SELECT 'bin:' || t."card_bin" WHERE t."card_bin" IS NOT NULL
    UNION SELECT 'fingerprint:' || t."card_fingerprint" WHERE t."card_fingerprint" IS NOT NULL
    UNION SELECT "metadata_term"("key", "value")
        FROM jsonb_each_text(CASE jsonb_typeof(t."metadata") WHEN 'object' THEN t."metadata" END) WHERE "value" IS NOT NULL
$$;

CREATE FUNCTION "write_transaction_terms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM "transaction_term" x USING "transaction_terms"(OLD) AS "gone" ("term")
        WHERE x."merchant_account_id" = OLD."merchant_account_id" AND x."term" = "gone"."term"
            AND x."created_at" = OLD."created_at" AND x."transaction_id" = OLD."id";
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO "transaction_term" ("merchant_account_id", "term", "created_at", "transaction_id")
        SELECT NEW."merchant_account_id", "made"."term", NEW."created_at", NEW."id"
        FROM "transaction_terms"(NEW) AS "made" ("term");
    END IF;
    RETURN NULL;
END
$$;

-- Settling an operation changes none of these columns, so it pays nothing for it.
CREATE TRIGGER "transaction_terms" AFTER INSERT OR DELETE OR UPDATE OF
    "merchant_account_id", "id", "created_at", "external_identifier", "buyer", "metadata", "card_bin", "card_last_four",
    "card_fingerprint"
    ON "transaction" FOR EACH ROW EXECUTE FUNCTION "write_transaction_terms"();

INSERT INTO "transaction_term" ("merchant_account_id", "term", "created_at", "transaction_id")
SELECT t."merchant_account_id", "made"."term", t."created_at", t."id"
FROM "transaction" t, "transaction_terms"(t) AS "made" ("term");
