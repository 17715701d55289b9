import { eventsText } from '../../src/modules/events/partitions/partitions.sql.ts';
import { query } from './database.ts';

/** Replaces the empty partitions of events and attempts, so that the first ones have `size` positions. */
export const useSmallPartitions = (url: string, size: number): Promise<unknown> =>
  query(
    url,
    `DO $$
     DECLARE
       each record;
     BEGIN
       FOR each IN SELECT inhrelid::regclass AS name FROM pg_inherits
         WHERE inhparent IN ('event'::regclass, 'delivery_attempt'::regclass) AND inhrelid <> 'event_default'::regclass
       LOOP
         EXECUTE format('DROP TABLE %s', each.name);
       END LOOP;
       CREATE TABLE delivery_attempt_from_0 PARTITION OF delivery_attempt FOR VALUES FROM (0) TO (${size});
     END $$;
     ${eventsText({ from: 0n, until: BigInt(size) })}`,
  );
