import { query } from './database.ts';

/** Replaces the empty partitions of the attempts, so that the first one has `size` positions. */
export const useSmallPartitions = (url: string, size: number): Promise<unknown> =>
  query(
    url,
    `DO $$
     DECLARE
       each record;
     BEGIN
       FOR each IN SELECT inhrelid::regclass AS name FROM pg_inherits WHERE inhparent = 'delivery_attempt'::regclass
       LOOP
         EXECUTE format('DROP TABLE %s', each.name);
       END LOOP;
       CREATE TABLE delivery_attempt_from_0 PARTITION OF delivery_attempt FOR VALUES FROM (0) TO (${size});
     END $$`,
  );
