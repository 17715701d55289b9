-- By hand: a search finds a word anywhere in a name, an e-mail address or an identifier, also behind a punctuation mark.
-- Each term begins where a word begins, and lists match the beginnings of terms.

-- The words of a text, and the rest of each word from every sign of punctuation on. Ten for each word, so that a text of
-- punctuation alone makes few terms. The modules make the same parts of buyers and payment methods.
CREATE FUNCTION "search_parts"("value" text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT substr("word", "part"."start")
    FROM regexp_split_to_table("value", '\s+') AS "word",
        translate("word", '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)) AS "spaced",
        LATERAL (
            SELECT "start" FROM generate_series(1, least(length("word"), 200)) AS "start"
            WHERE "start" = 1 OR (substr("spaced", "start" - 1, 1) = ' ' AND substr("spaced", "start", 1) <> ' ')
            ORDER BY "start" LIMIT 10
        ) AS "part"
$$;

CREATE OR REPLACE FUNCTION "transaction_terms"("t" "transaction") RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT "search_term"("value") FROM (
        SELECT unnest(ARRAY[t."external_identifier", t."buyer"->>'externalIdentifier', t."card_last_four"])
        UNION SELECT "search_parts"(concat_ws(' ',
            t."external_identifier", t."buyer"->>'externalIdentifier', t."buyer"->>'displayName',
            t."buyer"->'billingDetails'->>'firstName', t."buyer"->'billingDetails'->>'lastName',
            t."buyer"->'billingDetails'->>'emailAddress'))
    ) AS "searched" ("value") WHERE "value" <> ''
    UNION SELECT 'bin:' || t."card_bin" WHERE t."card_bin" IS NOT NULL
    UNION SELECT 'fingerprint:' || t."card_fingerprint" WHERE t."card_fingerprint" IS NOT NULL
    UNION SELECT "metadata_term"("key", "value")
        FROM jsonb_each_text(CASE jsonb_typeof(t."metadata") WHEN 'object' THEN t."metadata" END) WHERE "value" IS NOT NULL
$$;

CREATE OR REPLACE FUNCTION "payment_link_terms"("l" "payment_link") RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT "search_term"("value") FROM (
        SELECT unnest(ARRAY[l."external_identifier", l."buyer"->>'externalIdentifier'])
        UNION SELECT "search_parts"(concat_ws(' ',
            l."external_identifier", l."buyer"->>'externalIdentifier', l."buyer"->>'displayName',
            l."buyer"->'billingDetails'->>'firstName', l."buyer"->'billingDetails'->>'lastName',
            l."buyer"->'billingDetails'->>'emailAddress'))
    ) AS "searched" ("value") WHERE "value" <> ''
    UNION SELECT "metadata_term"("key", "value")
        FROM jsonb_each_text(CASE jsonb_typeof(l."metadata") WHEN 'object' THEN l."metadata" END) WHERE "value" IS NOT NULL
$$;

-- The terms of earlier rows.
INSERT INTO "transaction_term" ("merchant_account_id", "term", "created_at", "transaction_id")
SELECT t."merchant_account_id", "made"."term", t."created_at", t."id"
FROM "transaction" t, "transaction_terms"(t) AS "made" ("term") ON CONFLICT DO NOTHING;

INSERT INTO "payment_link_term" ("merchant_account_id", "term", "payment_link_id")
SELECT l."merchant_account_id", "made"."term", l."id"
FROM "payment_link" l, "payment_link_terms"(l) AS "made" ("term") ON CONFLICT DO NOTHING;

INSERT INTO "buyer_term" ("merchant_account_id", "term", "buyer_id")
SELECT x."merchant_account_id", left("search_parts"(x."term"), 200), x."buyer_id" FROM "buyer_term" x
ON CONFLICT DO NOTHING;

INSERT INTO "payment_method_term" ("merchant_account_id", "term", "payment_method_id")
SELECT x."merchant_account_id", left("search_parts"(x."term"), 200), x."payment_method_id" FROM "payment_method_term" x
ON CONFLICT DO NOTHING;
