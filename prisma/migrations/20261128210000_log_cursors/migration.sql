-- By hand: the relay walks the events by their positions. Until now each event had a mark in "event_pending", which the relay
-- deleted: two of the four row versions of an event. A process of the former version still writes marks, which nobody reads.

-- A reader of an append-only table. It has read the rows up to a position, but for the gaps: transactions that began to write
-- there and had not ended. See src/platform/log-cursor.sql.ts.
CREATE TABLE "log_cursor" (
    "name" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "missing" int8multirange NOT NULL,
    "young" int8multirange NOT NULL,
    "horizon" xid8 NOT NULL,

    CONSTRAINT "log_cursor_pkey" PRIMARY KEY ("name")
);

DO $$
BEGIN
    LOOP
        BEGIN
            SET LOCAL lock_timeout = '200ms';
            LOCK TABLE "event" IN SHARE ROW EXCLUSIVE MODE;
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(0.2);
        END;
    END LOOP;

    -- A position belongs to a transaction that has its number already. So a cursor knows when nobody can fill a gap any more.
    ALTER TABLE "event" ALTER COLUMN "position"
        SET DEFAULT CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('event_position_seq'::regclass) END;

    INSERT INTO "log_cursor" ("name", "position", "missing", "young", "horizon")
    SELECT 'feed', coalesce((SELECT max("position") FROM "event"), 0),
        coalesce((SELECT range_agg(int8range("position", "position", '[]')) FROM "event_pending"), '{}'), '{}',
        pg_current_xact_id();
END $$;
