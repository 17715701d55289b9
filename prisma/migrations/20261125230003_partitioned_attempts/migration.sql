-- By hand: the table of attempts becomes the first partition, without a copy of a row. The checked bound spares Postgres a
-- scan, so the lock is held for some milliseconds.
DO $$
DECLARE
    "bound" bigint;
    "granted" record;
    "made" record;
BEGIN
    LOOP
        BEGIN
            SET LOCAL lock_timeout = '200ms';
            LOCK TABLE "delivery_attempt" IN ACCESS EXCLUSIVE MODE;
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(0.2);
        END;
    END LOOP;

    ALTER TABLE "delivery_attempt" RENAME TO "delivery_attempt_from_0";
    ALTER TABLE "delivery_attempt_from_0"
        DROP CONSTRAINT "delivery_attempt_pkey",
        ADD CONSTRAINT "delivery_attempt_from_0_pkey" PRIMARY KEY USING INDEX "delivery_attempt_from_0_pkey";
    ALTER INDEX "delivery_attempt_merchant_account_id_endpoint_id_position_n_idx" RENAME TO "delivery_attempt_from_0_idx";

    CREATE TABLE "delivery_attempt" (LIKE "delivery_attempt_from_0" INCLUDING DEFAULTS) PARTITION BY RANGE ("position");
    ALTER TABLE "delivery_attempt" ADD CONSTRAINT "delivery_attempt_pkey" PRIMARY KEY ("merchant_account_id", "id", "position");
    CREATE INDEX "delivery_attempt_merchant_account_id_endpoint_id_position_n_idx"
        ON "delivery_attempt" ("merchant_account_id", "endpoint_id", "position", "number");

    SELECT substring(pg_get_constraintdef(oid) FROM '< ''?(\d+)')::bigint INTO "bound" FROM pg_constraint
    WHERE conrelid = '"delivery_attempt_from_0"'::regclass AND conname = 'delivery_attempt_position_check';
    EXECUTE format('ALTER TABLE "delivery_attempt" ATTACH PARTITION "delivery_attempt_from_0" FOR VALUES FROM (0) TO (%s)', "bound");
    ALTER TABLE "delivery_attempt_from_0" DROP CONSTRAINT "delivery_attempt_position_check";

    -- The worker creates the later partitions.
    FOR each IN 0..1 LOOP
        EXECUTE format(
            'CREATE TABLE %I PARTITION OF "delivery_attempt" FOR VALUES FROM (%s) TO (%s)',
            'delivery_attempt_from_' || "bound", "bound", "bound" + 1000000);
        "bound" := "bound" + 1000000;
    END LOOP;

    -- The new tables belong to the same role, and the same roles may use them.
    FOR "made" IN
        SELECT c.oid::regclass AS name, o.relowner::regrole AS owner, o.relacl, o.relowner FROM pg_class c, pg_class o
        WHERE o.oid = '"delivery_attempt_from_0"'::regclass AND c.oid <> o.oid
            AND (c.oid = '"delivery_attempt"'::regclass
                OR c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = '"delivery_attempt"'::regclass))
    LOOP
        EXECUTE format('ALTER TABLE %s OWNER TO %s', "made".name, "made".owner);
        FOR "granted" IN
            SELECT a.privilege_type, a.is_grantable,
                CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END AS grantee
            FROM aclexplode("made".relacl) a WHERE a.grantee <> "made".relowner
        LOOP
            EXECUTE format('GRANT %s ON %s TO %s', "granted".privilege_type, "made".name, "granted".grantee)
                || CASE WHEN "granted".is_grantable THEN ' WITH GRANT OPTION' ELSE '' END;
        END LOOP;
    END LOOP;
END $$;
