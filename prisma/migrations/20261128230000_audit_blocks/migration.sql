-- By hand: the chain of an account is a table of its own. Until now the chain wrote the place of each entry into the entry. That made
-- two of the four row versions of a capture's entries, each with six entries of indexes.

-- Some entries that follow each other in the chain of a merchant account, with the hash of each.
CREATE TABLE "audit_block" (
    "merchant_account_id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "ids" UUID[] NOT NULL,
    "hashes" TEXT[] NOT NULL,
    "first_id" UUID NOT NULL,
    "last_id" UUID NOT NULL,

    CONSTRAINT "audit_block_pkey" PRIMARY KEY ("merchant_account_id","sequence"),
    CONSTRAINT "audit_block_length_check" CHECK (cardinality("ids") BETWEEN 1 AND 500 AND cardinality("hashes") = cardinality("ids"))
);

-- The block of an entry has the entry, and is the first one whose last entry is not older.
CREATE INDEX "audit_block_merchant_account_id_last_id_idx" ON "audit_block"("merchant_account_id", "last_id");

SELECT "grant_as_on"('"audit_entry"', '"audit_block"');

-- The chain up to now, while others write. Their entries come below.
INSERT INTO "audit_block" ("merchant_account_id", "sequence", "ids", "hashes", "first_id", "last_id")
SELECT "merchant_account_id", min("sequence"), array_agg("id" ORDER BY "sequence"), array_agg("hash" ORDER BY "sequence"),
    (array_agg("id" ORDER BY "id"))[1], (array_agg("id" ORDER BY "id" DESC))[1]
FROM "audit_entry" WHERE "sequence" IS NOT NULL
GROUP BY "merchant_account_id", ("sequence" - 1) / 500;

DO $$
BEGIN
    LOOP
        BEGIN
            SET LOCAL lock_timeout = '200ms';
            LOCK TABLE "audit_entry" IN ACCESS EXCLUSIVE MODE;
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(0.2);
        END;
    END LOOP;

    INSERT INTO "audit_block" ("merchant_account_id", "sequence", "ids", "hashes", "first_id", "last_id")
    SELECT e."merchant_account_id", min(e."sequence"), array_agg(e."id" ORDER BY e."sequence"),
        array_agg(e."hash" ORDER BY e."sequence"), (array_agg(e."id" ORDER BY e."id"))[1], (array_agg(e."id" ORDER BY e."id" DESC))[1]
    FROM "audit_chain" c
    CROSS JOIN LATERAL (
        SELECT coalesce((
            SELECT b."sequence" + cardinality(b."ids") - 1 FROM "audit_block" b
            WHERE b."merchant_account_id" = c."merchant_account_id" ORDER BY b."sequence" DESC LIMIT 1), 0) AS "end") reached
    JOIN "audit_entry" e ON e."merchant_account_id" = c."merchant_account_id" AND e."sequence" > reached."end"
    GROUP BY e."merchant_account_id", (e."sequence" - 1) / 500;

    -- The retention may have removed entries since the copy. A block begins behind them.
    DELETE FROM "audit_block" b USING "audit_chain" c
    WHERE b."merchant_account_id" = c."merchant_account_id" AND b."sequence" <= c."floor_sequence"
        AND b."sequence" + cardinality(b."ids") - 1 <= c."floor_sequence";
    UPDATE "audit_block" b SET "sequence" = k."sequence", "ids" = k."ids", "hashes" = k."hashes",
        "first_id" = (SELECT id FROM unnest(k."ids") AS id ORDER BY id LIMIT 1),
        "last_id" = (SELECT id FROM unnest(k."ids") AS id ORDER BY id DESC LIMIT 1)
    FROM (
        SELECT o."merchant_account_id", o."sequence" AS "from", c."floor_sequence" + 1 AS "sequence",
            o."ids"[(c."floor_sequence" + 2 - o."sequence")::int:] AS "ids", o."hashes"[(c."floor_sequence" + 2 - o."sequence")::int:] AS "hashes"
        FROM "audit_block" o JOIN "audit_chain" c USING ("merchant_account_id") WHERE o."sequence" <= c."floor_sequence") k
    WHERE b."merchant_account_id" = k."merchant_account_id" AND b."sequence" = k."from";

    CREATE SEQUENCE "audit_entry_position_seq";
    PERFORM "grant_as_on"('"audit_entry"', '"audit_entry_position_seq"');
    ALTER TABLE "audit_entry" ADD COLUMN "position" BIGINT;
    ALTER TABLE "audit_entry" DISABLE TRIGGER "audit_entry_append_only";
    UPDATE "audit_entry" SET "position" = nextval('audit_entry_position_seq') WHERE "sequence" IS NULL;
    ALTER TABLE "audit_entry" ENABLE TRIGGER "audit_entry_append_only";
    ALTER TABLE "audit_entry" ALTER COLUMN "position"
        SET DEFAULT CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('audit_entry_position_seq'::regclass) END;
    ALTER SEQUENCE "audit_entry_position_seq" OWNED BY "audit_entry"."position";
    ALTER TABLE "audit_entry" DROP COLUMN "sequence", DROP COLUMN "hash";

    INSERT INTO "log_cursor" ("name", "position", "missing", "young", "horizon")
    VALUES ('audit', 0, '{}', '{}', pg_current_xact_id());
END $$;

-- An entry and a block stay as they were written. Only the retention removes them, and its transactions say so.
CREATE OR REPLACE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('paygraph.retention', true) = 'on' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER "audit_block_append_only" BEFORE UPDATE OR DELETE ON "audit_block"
    FOR EACH ROW EXECUTE FUNCTION "refuse_audit_change"();
CREATE TRIGGER "audit_block_no_truncate" BEFORE TRUNCATE ON "audit_block"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
