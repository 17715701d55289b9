-- By hand: the reports find new payments by the positions of their first operations. Until now each payment had a mark in
-- "report_pending", which the reports deleted. The marks that are there stay, and count as before. Operations from before have no
-- position.
--
-- The outcome of an operation also keeps what may change later of its answer. Until now the record of the idempotency key got a copy
-- of both rows, three kilobytes in a second version. Records from before keep their copy.
DO $$
BEGIN
    LOOP
        BEGIN
            SET LOCAL lock_timeout = '200ms';
            LOCK TABLE "transaction", "operation" IN ACCESS EXCLUSIVE MODE;
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(0.2);
        END;
    END LOOP;

    CREATE SEQUENCE "operation_position_seq";
    PERFORM "grant_as_on"('"operation"', '"operation_position_seq"');
    ALTER TABLE "operation" ADD COLUMN "position" BIGINT, ADD COLUMN "answer" TEXT;
    ALTER TABLE "operation" ALTER COLUMN "position"
        SET DEFAULT CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('operation_position_seq'::regclass) END;
    ALTER SEQUENCE "operation_position_seq" OWNED BY "operation"."position";
    DROP TRIGGER "transaction_reports" ON "transaction";
    DROP FUNCTION "mark_for_reports"();

    INSERT INTO "log_cursor" ("name", "position", "missing", "young", "horizon")
    VALUES ('reports of payments', 0, '{}', '{}', pg_current_xact_id());
END $$;

DROP FUNCTION "grant_as_on"(regclass, regclass);
