-- CreateTable
CREATE TABLE "three_ds_scenario" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "first_name" TEXT,
    "last_name" TEXT,
    "email_address" TEXT,
    "amount" INTEGER,
    "external_identifier" TEXT,
    "card_bin" TEXT,
    "card_last_four" TEXT,
    "card_fingerprint" TEXT,
    "enrollment" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "authentication" TEXT NOT NULL,
    "challenge_result" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "three_ds_scenario_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- AddForeignKey
ALTER TABLE "three_ds_scenario" ADD CONSTRAINT "three_ds_scenario_merchant_account_id_fkey" FOREIGN KEY ("merchant_account_id") REFERENCES "merchant_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the models cannot say.

-- In place of the plain index: asked at the end of a statement, because one that moves rules gives several new places.
ALTER TABLE "three_ds_scenario" ADD CONSTRAINT "three_ds_scenario_merchant_account_id_position_key"
    UNIQUE ("merchant_account_id", "position") DEFERRABLE INITIALLY IMMEDIATE;

ALTER TABLE "three_ds_scenario"
    ADD CONSTRAINT "three_ds_scenario_position_check" CHECK ("position" >= 1),
    ADD CONSTRAINT "three_ds_scenario_conditions_check"
        CHECK (num_nonnulls("first_name", "last_name", "email_address", "amount", "external_identifier", "card_bin") > 0),
    ADD CONSTRAINT "three_ds_scenario_amount_check" CHECK ("amount" BETWEEN 0 AND 99999999),
    -- A whole card number does not fit: six digits of it, or a BIN.
    ADD CONSTRAINT "three_ds_scenario_card_check" CHECK (
        CASE WHEN "card_fingerprint" IS NULL
             THEN "card_last_four" IS NULL AND ("card_bin" ~ '^[0-9]{6,11}$') IS NOT FALSE
             ELSE ("card_bin" ~ '^[0-9]{6}$' AND "card_last_four" ~ '^[0-9]{4}$') IS TRUE END),
    ADD CONSTRAINT "three_ds_scenario_outcome_check" CHECK (
        CASE "enrollment"
            WHEN 'enrolled' THEN "authentication" IN ('y', 'n', 'a', 'r', 'u', 'c', 'timeout')
            WHEN 'not_enrolled' THEN "authentication" IN ('n', 'a', 'r', 'u')
            WHEN 'unavailable' THEN "authentication" IN ('a', 'u', 'timeout')
            ELSE FALSE END),
    ADD CONSTRAINT "three_ds_scenario_challenge_check" CHECK (
        CASE WHEN "authentication" = 'c' THEN ("challenge_result" IN ('y', 'n', 'timeout')) IS TRUE
             ELSE "challenge_result" IS NULL END);
