-- By hand: the attempts become the first partition of a partitioned table, in four steps. No step blocks the service for
-- long, and processes of the former version go on with their work. This step bounds the positions of the first partition
-- without a look at the rows.
DO $$
DECLARE
    "last" bigint;
BEGIN
    -- Waits for the locks without a queue behind it: payments and deliveries pass between two tries.
    LOOP
        BEGIN
            SET LOCAL lock_timeout = '200ms';
            LOCK TABLE "delivery", "delivery_attempt" IN ACCESS EXCLUSIVE MODE;
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(0.2);
        END;
    END LOOP;

    -- A foreign key from a partition would lock all deliveries when the retention drops the partition. The statement that
    -- writes an attempt locks its delivery.
    ALTER TABLE "delivery_attempt" DROP CONSTRAINT "delivery_attempt_merchant_account_id_endpoint_id_position_fkey";

    -- The bound leaves room for the events that are written before the last step.
    SELECT last_value INTO "last" FROM "event_position_seq";
    EXECUTE format(
        'ALTER TABLE "delivery_attempt" ADD CONSTRAINT "delivery_attempt_position_check" '
        'CHECK ("position" >= %L::bigint AND "position" < %L::bigint) NOT VALID',
        0, (("last" + greatest(500000, "last" / 10)) / 1000000 + 1) * 1000000);
END $$;
