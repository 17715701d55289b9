-- CreateTable
CREATE TABLE "account_move" (
    "account" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "cell" TEXT,
    "private_key" TEXT,
    "public_key" TEXT NOT NULL,
    "rows_digest" TEXT,
    "target" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_move_pkey" PRIMARY KEY ("account")
);

-- By hand from here: what the models cannot say.

ALTER TABLE "account_move" ADD CONSTRAINT "account_move_state_check"
    CHECK ("state" IN ('draining', 'closing', 'held', 'left', 'forgotten', 'arriving', 'open'));
-- The source alone has the private key.
ALTER TABLE "account_move" ADD CONSTRAINT "account_move_key_check"
    CHECK ("state" IN ('arriving', 'open') = ("private_key" IS NULL));

-- The merchant accounts that this installation does not serve now. They are on the way, or moved away.
-- An account that was forgotten has no rows left, so no work looks for it.
CREATE VIEW "account_away" AS SELECT "account" FROM "account_move" WHERE "state" NOT IN ('open', 'forgotten');

-- The claims of operations obey a move, too. The refusal of a move has a code of its own, and names the account.
CREATE OR REPLACE FUNCTION "refuse_while_held"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM "installation_fact" WHERE "name" = 'payments_held') THEN
        RAISE EXCEPTION 'payments are held back after a restore' USING ERRCODE = 'PH001';
    END IF;
    IF EXISTS (SELECT FROM "account_move" WHERE "account" = NEW."merchant_account_id" AND "state" <> 'open') THEN
        RAISE EXCEPTION 'the merchant account moves' USING ERRCODE = 'PH002', DETAIL = NEW."merchant_account_id";
    END IF;
    RETURN NEW;
END
$$;

-- Refuses each change of a merchant account that is on the way, or moved away. A move puts the trigger on the tables
-- with an account, and takes it away, so payments without a move pay nothing. The argument "log" names tables that only
-- readers of logs and the dispatcher write. They go on until the logs are read.
CREATE FUNCTION "refuse_while_away"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "changed" text;
BEGIN
    IF TG_TABLE_NAME = 'merchant_account' THEN
        "changed" := CASE TG_OP WHEN 'DELETE' THEN OLD."id" ELSE NEW."id" END;
    ELSIF TG_OP = 'DELETE' THEN
        "changed" := OLD."merchant_account_id";
    ELSE
        "changed" := NEW."merchant_account_id";
    END IF;
    IF EXISTS (
        SELECT FROM "account_move" WHERE "account" = "changed"
            AND "state" NOT IN ('draining', 'open') AND ("state" <> 'closing' OR TG_NARGS = 0)) THEN
        RAISE EXCEPTION 'the merchant account moves' USING ERRCODE = 'PH002', DETAIL = "changed";
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END
$$;
