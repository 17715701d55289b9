-- By hand: the reports walk the ledger by its positions. Until now each entry had a mark in "report_pending", which the reports
-- deleted. The marks that are there stay, and count as before. Entries from before have no position.
DO $$
BEGIN
    LOOP
        BEGIN
            SET LOCAL lock_timeout = '200ms';
            LOCK TABLE "ledger_entry" IN ACCESS EXCLUSIVE MODE;
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(0.2);
        END;
    END LOOP;

    CREATE SEQUENCE "ledger_entry_position_seq";
    PERFORM "grant_as_on"('"ledger_entry"', '"ledger_entry_position_seq"');
    ALTER TABLE "ledger_entry" ADD COLUMN "position" BIGINT;
    ALTER TABLE "ledger_entry" ALTER COLUMN "position"
        SET DEFAULT CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('ledger_entry_position_seq'::regclass) END;
    ALTER SEQUENCE "ledger_entry_position_seq" OWNED BY "ledger_entry"."position";
    DROP TRIGGER "ledger_entry_reports" ON "ledger_entry";

    INSERT INTO "log_cursor" ("name", "position", "missing", "young", "horizon")
    VALUES ('reports', 0, '{}', '{}', pg_current_xact_id());
END $$;
