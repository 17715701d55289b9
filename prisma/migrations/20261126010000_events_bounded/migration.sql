-- By hand: the events become the first partition of a partitioned table, in four steps. No step blocks the service for
-- long, and processes of the former version go on with their work. This step bounds the positions of the first partition
-- without a look at the rows.
DO $$
DECLARE
    "last" bigint;
    "bound" bigint;
BEGIN
    -- Waits for the locks without a queue behind it: payments and deliveries pass between two tries.
    LOOP
        BEGIN
            SET LOCAL lock_timeout = '200ms';
            LOCK TABLE "merchant_account", "event", "feed_entry", "delivery" IN ACCESS EXCLUSIVE MODE;
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(0.2);
        END;
    END LOOP;

    -- A foreign key would lock both tables when the retention drops a partition of events. A delivery refers to the feed
    -- entry of its event instead, and no event with a feed entry is removed.
    ALTER TABLE "event" DROP CONSTRAINT "event_merchant_account_id_fkey";
    ALTER TABLE "feed_entry" DROP CONSTRAINT "feed_entry_position_fkey";
    ALTER TABLE "delivery" DROP CONSTRAINT "delivery_position_fkey";
    ALTER TABLE "delivery" ADD CONSTRAINT "delivery_position_fkey" FOREIGN KEY ("position") REFERENCES "feed_entry"("position")
        ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;

    -- The bound leaves room for the events that are written before the last step. It is the end of a partition of the
    -- attempts if one is far enough.
    SELECT last_value INTO "last" FROM "event_position_seq";
    "last" := "last" + greatest(500000, "last" / 10);
    SELECT min(until) INTO "bound" FROM (
        SELECT substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''?(\d+)')::bigint AS until
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = '"delivery_attempt"'::regclass) p
    WHERE until >= "last";
    EXECUTE format(
        'ALTER TABLE "event" ADD CONSTRAINT "event_position_check" '
        'CHECK ("position" >= %L::bigint AND "position" < %L::bigint) NOT VALID',
        0, coalesce("bound", ("last" / 1000000 + 1) * 1000000));
END $$;
