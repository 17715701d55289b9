-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "payment_link_attempt_id" UUID,
ADD COLUMN     "payment_link_id" UUID;

-- CreateTable
CREATE TABLE "payment_link" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "token_digest" TEXT NOT NULL,
    "sealed_token" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "amount" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "country" TEXT NOT NULL,
    "intent" TEXT NOT NULL,
    "payment_source" TEXT NOT NULL,
    "store" BOOLEAN NOT NULL,
    "buyer_id" UUID,
    "buyer" JSONB,
    "shipping_details" JSONB,
    "cart_items" JSONB,
    "statement_descriptor" JSONB,
    "connection_options" JSONB,
    "metadata" JSONB,
    "installment_count" INTEGER,
    "external_identifier" TEXT,
    "locale" TEXT,
    "merchant_name" TEXT,
    "merchant_url" TEXT,
    "merchant_banner_url" TEXT,
    "merchant_color" TEXT,
    "merchant_message" TEXT,
    "merchant_terms_and_conditions_url" TEXT,
    "merchant_favicon_url" TEXT,
    "return_url" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_link_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateTable
CREATE TABLE "payment_link_term" (
    "merchant_account_id" TEXT NOT NULL,
    "term" TEXT NOT NULL,
    "payment_link_id" UUID NOT NULL,

    CONSTRAINT "payment_link_term_pkey" PRIMARY KEY ("merchant_account_id","term","payment_link_id")
);

-- CreateTable
CREATE TABLE "payment_link_attempt" (
    "merchant_account_id" TEXT NOT NULL,
    "payment_link_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "look_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_link_attempt_pkey" PRIMARY KEY ("merchant_account_id","payment_link_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "payment_link_token_digest_key" ON "payment_link"("token_digest");

-- CreateIndex
CREATE INDEX "payment_link_created_idx" ON "payment_link"("merchant_account_id", "created_at", "id", "status", "expires_at", "currency", "country");

-- CreateIndex
CREATE INDEX "payment_link_updated_idx" ON "payment_link"("merchant_account_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "payment_link_amount_idx" ON "payment_link"("merchant_account_id", "amount", "id");

-- CreateIndex
CREATE INDEX "payment_link_status_idx" ON "payment_link"("merchant_account_id", "status", "created_at", "id");

-- AddForeignKey
ALTER TABLE "payment_link" ADD CONSTRAINT "payment_link_merchant_account_id_fkey" FOREIGN KEY ("merchant_account_id") REFERENCES "merchant_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_link" ADD CONSTRAINT "payment_link_merchant_account_id_buyer_id_fkey" FOREIGN KEY ("merchant_account_id", "buyer_id") REFERENCES "buyer"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_link_attempt" ADD CONSTRAINT "payment_link_attempt_merchant_account_id_payment_link_id_fkey" FOREIGN KEY ("merchant_account_id", "payment_link_id") REFERENCES "payment_link"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transaction" ADD CONSTRAINT "transaction_merchant_account_id_payment_link_id_payment_li_fkey" FOREIGN KEY ("merchant_account_id", "payment_link_id", "payment_link_attempt_id") REFERENCES "payment_link_attempt"("merchant_account_id", "payment_link_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the models cannot say.

ALTER TABLE "payment_link"
    ADD CONSTRAINT "payment_link_status_check" CHECK ("status" IN ('active', 'processing', 'completed', 'expired')),
    ADD CONSTRAINT "payment_link_amount_check" CHECK ("amount" BETWEEN 0 AND 99999999),
    ADD CONSTRAINT "payment_link_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$'),
    ADD CONSTRAINT "payment_link_country_check" CHECK ("country" ~ '^[A-Z]{2}$'),
    ADD CONSTRAINT "payment_link_intent_check" CHECK ("intent" IN ('authorize', 'capture')),
    ADD CONSTRAINT "payment_link_payment_source_check"
        CHECK ("payment_source" IN ('ecommerce', 'moto', 'recurring', 'installment', 'card_on_file')),
    ADD CONSTRAINT "payment_link_installment_count_check" CHECK ("installment_count" BETWEEN 1 AND 100),
    -- It goes into a style sheet.
    ADD CONSTRAINT "payment_link_merchant_color_check" CHECK ("merchant_color" ~ '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$');

ALTER TABLE "payment_link_attempt"
    ADD CONSTRAINT "payment_link_attempt_ended_check" CHECK (("look_at" IS NULL) = ("ended_at" IS NOT NULL));

ALTER TABLE "transaction"
    ADD CONSTRAINT "transaction_payment_link_check"
        CHECK (("payment_link_id" IS NULL) = ("payment_link_attempt_id" IS NULL));

-- A link is paid by one attempt at a time, and an attempt by one transaction.
CREATE UNIQUE INDEX "payment_link_one_attempt_key" ON "payment_link_attempt" ("merchant_account_id", "payment_link_id")
    WHERE "ended_at" IS NULL;
CREATE UNIQUE INDEX "transaction_payment_link_key"
    ON "transaction" ("merchant_account_id", "payment_link_id", "payment_link_attempt_id")
    WHERE "payment_link_id" IS NOT NULL;

-- What the sweeper looks for; small, because almost every row is done.
CREATE INDEX "payment_link_attempt_due_idx" ON "payment_link_attempt" ("look_at") WHERE "ended_at" IS NULL;
CREATE INDEX "payment_link_lapsing_idx" ON "payment_link" ("expires_at") WHERE "status" = 'active';

CREATE INDEX "payment_link_buyer_idx" ON "payment_link" ("merchant_account_id", "buyer_id", "created_at", "id")
    WHERE "buyer_id" IS NOT NULL;

-- By code point, so that "begins with" is a range of the index, whatever the database sorts by.
ALTER TABLE "payment_link_term" ALTER COLUMN "term" TYPE TEXT COLLATE "C";

-- Identifiers whole, for the filters on them, and every word of them and of the buyer's names, for the search; see
-- transaction_terms. A link is never changed in what it is found by, and never deleted.
CREATE FUNCTION "payment_link_terms"("l" "payment_link") RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT "search_term"("value") FROM unnest(
        ARRAY[
            l."external_identifier", l."buyer"->>'externalIdentifier', l."buyer"->'billingDetails'->>'emailAddress'
        ] || regexp_split_to_array(concat_ws(' ',
            l."external_identifier", l."buyer"->>'externalIdentifier', l."buyer"->>'displayName',
            l."buyer"->'billingDetails'->>'firstName', l."buyer"->'billingDetails'->>'lastName'
        ), '\s+')
    ) AS "value" WHERE "value" <> ''
    UNION SELECT "metadata_term"("key", "value")
        FROM jsonb_each_text(CASE jsonb_typeof(l."metadata") WHEN 'object' THEN l."metadata" END) WHERE "value" IS NOT NULL
$$;

CREATE FUNCTION "write_payment_link_terms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "payment_link_term" ("merchant_account_id", "term", "payment_link_id")
    SELECT NEW."merchant_account_id", "made"."term", NEW."id"
    FROM "payment_link_terms"(NEW) AS "made" ("term");
    RETURN NULL;
END
$$;

CREATE TRIGGER "payment_link_terms" AFTER INSERT ON "payment_link"
    FOR EACH ROW EXECUTE FUNCTION "write_payment_link_terms"();
