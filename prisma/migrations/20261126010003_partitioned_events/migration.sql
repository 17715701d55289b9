-- By hand: the table of events becomes the first partition, without a copy of a row. The checked bound spares Postgres a
-- scan, so the lock is held for some milliseconds.
DO $$
DECLARE
    "bound" bigint;
    "reached" bigint;
    "each" record;
    "granted" record;
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

    ALTER TABLE "event" RENAME TO "event_from_0";
    ALTER TABLE "event_from_0" RENAME CONSTRAINT "event_pkey" TO "event_from_0_pkey";
    ALTER INDEX "event_merchant_account_id_id_key" RENAME TO "event_from_0_id_key";
    ALTER INDEX "event_merchant_account_id_target_type_target_id_position_idx" RENAME TO "event_from_0_target_idx";

    CREATE TABLE "event" (LIKE "event_from_0" INCLUDING DEFAULTS) PARTITION BY RANGE ("position");
    ALTER TABLE "event" ADD CONSTRAINT "event_pkey" PRIMARY KEY ("position");
    CREATE INDEX "event_merchant_account_id_target_type_target_id_position_idx"
        ON "event" ("merchant_account_id", "target_type", "target_id", "position");
    CREATE TRIGGER "event_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "event"
        FOR EACH STATEMENT EXECUTE FUNCTION "refuse_event_change"();

    SELECT substring(pg_get_constraintdef(oid) FROM '< ''?(\d+)')::bigint INTO "bound" FROM pg_constraint
    WHERE conrelid = '"event_from_0"'::regclass AND conname = 'event_position_check';
    EXECUTE format('ALTER TABLE "event" ATTACH PARTITION "event_from_0" FOR VALUES FROM (0) TO (%s)', "bound");
    ALTER TABLE "event_from_0" DROP CONSTRAINT "event_position_check";

    -- A payment never waits for a partition: an event without one goes to this table.
    CREATE TABLE "event_default" PARTITION OF "event" DEFAULT;

    -- The partitions of the attempts reach the bound, and the later partitions of events have the same borders.
    FOR "each" IN
        SELECT substring(p.bounds FROM 'FROM \(''?(\d+)')::bigint AS first, substring(p.bounds FROM 'TO \(''?(\d+)')::bigint AS until
        FROM (
            SELECT pg_get_expr(c.relpartbound, c.oid) AS bounds FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = '"delivery_attempt"'::regclass) p
        ORDER BY 2
    LOOP
        "reached" := "each".until;
        CONTINUE WHEN "each".until <= "bound";
        EXECUTE format(
            'CREATE TABLE %I PARTITION OF "event" FOR VALUES FROM (%s) TO (%s)',
            'event_from_' || greatest("each".first, "bound"), greatest("each".first, "bound"), "each".until);
    END LOOP;
    IF "reached" < "bound" THEN
        EXECUTE format(
            'CREATE TABLE %I PARTITION OF "delivery_attempt" FOR VALUES FROM (%s) TO (%s)',
            'delivery_attempt_from_' || "reached", "reached", "bound");
    END IF;

    -- The new tables belong to the same role, and the same roles may use them. The key by id is in each partition alone,
    -- because the key of a partitioned table would include the position.
    FOR "each" IN
        SELECT '"event"'::regclass AS "table", 'event' AS name
        UNION ALL
        SELECT inhrelid, relname FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
        WHERE inhparent = '"event"'::regclass AND relname <> 'event_from_0'
    LOOP
        IF "each".name <> 'event' THEN
            EXECUTE format('CREATE UNIQUE INDEX %I ON %s ("merchant_account_id", "id")', "each".name || '_id_key', "each"."table");
            EXECUTE format(
                'CREATE TRIGGER "event_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON %s '
                'FOR EACH STATEMENT EXECUTE FUNCTION "refuse_event_change"()', "each"."table");
        END IF;
        EXECUTE (
            SELECT format('ALTER TABLE %s OWNER TO %s', "each"."table", relowner::regrole) FROM pg_class
            WHERE oid = '"event_from_0"'::regclass);
        FOR "granted" IN
            SELECT a.privilege_type, a.is_grantable,
                CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END AS grantee
            FROM pg_class c, aclexplode(c.relacl) a
            WHERE c.oid = '"event_from_0"'::regclass AND a.grantee <> c.relowner
        LOOP
            EXECUTE format('GRANT %s ON %s TO %s', "granted".privilege_type, "each"."table", "granted".grantee)
                || CASE WHEN "granted".is_grantable THEN ' WITH GRANT OPTION' ELSE '' END;
        END LOOP;
    END LOOP;

    -- The drop of the first partition would otherwise drop the sequence.
    ALTER SEQUENCE "event_position_seq" OWNED BY "event"."position";
END $$;
