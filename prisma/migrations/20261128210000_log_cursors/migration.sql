-- By hand: the relay walks the events by their positions. Until now each event had a mark in "event_pending" until the relay had moved
-- it. That made two of the four row versions of an event. A process of the former version still writes and reads marks.

-- A reader of an append-only table. It has read the rows up to a position, except for the gaps. Transactions that had not ended may
-- fill a gap. See src/platform/log-cursor.sql.ts.
CREATE TABLE "log_cursor" (
    "name" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "missing" int8multirange NOT NULL,
    "young" int8multirange NOT NULL,
    "horizon" xid8 NOT NULL,

    CONSTRAINT "log_cursor_pkey" PRIMARY KEY ("name")
);

-- Lets the roles that may use a table use what is made beside it. The last of these migrations drops the function.
CREATE FUNCTION "grant_as_on"("source" regclass, "made" regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    "granted" record;
BEGIN
    FOR "granted" IN
        SELECT a.privilege_type, m.relkind, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END AS grantee
        FROM pg_class c, aclexplode(c.relacl) a, pg_class m
        WHERE c.oid = "source" AND m.oid = "made" AND a.grantee <> c.relowner
            AND (m.relkind <> 'S' OR a.privilege_type = 'INSERT')
    LOOP
        IF "granted".relkind = 'S' THEN
            EXECUTE format('GRANT USAGE ON SEQUENCE %s TO %s', "made", "granted".grantee);
        ELSE
            EXECUTE format('GRANT %s ON %s TO %s', "granted".privilege_type, "made", "granted".grantee);
        END IF;
    END LOOP;
END $$;
SELECT "grant_as_on"('"feed_head"', '"log_cursor"');

DO $$
BEGIN
    LOOP
        BEGIN
            SET LOCAL lock_timeout = '200ms';
            LOCK TABLE "event" IN ACCESS EXCLUSIVE MODE;
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
