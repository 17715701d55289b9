// The statements that make a used test database like new.

/** Ends the connections of the service and waits for their end. Idle connections with one of the names stay. */
export const END_CONNECTIONS = `
  SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
    AND (application_name <> ALL ($1) OR state <> 'idle' OR pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory'))`;

/** A table with more rows makes a copy of the template cheaper than the removal of the rows. */
const ROWS_MAX = 5_000;

/** The table of the applied migrations. A copy of the template has its rows, too. */
const OF_MIGRATIONS = '_prisma_migrations';

/** The table of the places that readers of logs have reached. A migration writes its rows. */
const OF_CURSORS = 'log_cursor';

/** Removes all rows without triggers, and starts the sequences and the readers of logs again. Fails for too many rows. */
export const REMOVE_ROWS = `
  DO $$
  DECLARE
    each record;
    removed bigint;
  BEGIN
    SET LOCAL session_replication_role = replica;
    FOR each IN SELECT oid::regclass AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname NOT IN ('${OF_MIGRATIONS}', '${OF_CURSORS}')
    LOOP
      EXECUTE format('DELETE FROM %s', each.name);
      GET DIAGNOSTICS removed = ROW_COUNT;
      IF removed > ${ROWS_MAX} THEN RAISE EXCEPTION '% has % rows', each.name, removed; END IF;
    END LOOP;
    FOR each IN SELECT oid::regclass AS name FROM pg_class
      WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace
    LOOP
      PERFORM setval(each.name, 1, false);
    END LOOP;
    UPDATE ${OF_CURSORS} SET position = 0, missing = '{}', young = '{}';
  END $$`;

/** Tells two databases apart whose tables, columns, constraints, indexes, triggers, functions, statistics or settings differ. */
export const SHAPE = `
  SELECT md5(string_agg(part, ' ' ORDER BY part)) AS shape FROM (
    SELECT concat_ws(',', 'class', c.oid, relname, relkind, reltuples, relacl, reloptions) AS part FROM pg_class c
    WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws(',', 'column', attrelid, attname, atttypid, attnotnull, attisdropped, atthasdef)
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws(',', 'constraint', oid, conname, convalidated) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws(',', 'index', indexrelid, indisvalid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws(',', 'trigger', t.oid, tgenabled) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws(',', 'function', oid, md5(prosrc)) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws(',', 'migration', m.*::text) FROM ${OF_MIGRATIONS} m
    UNION ALL SELECT concat_ws(',', 'setting', setconfig) FROM pg_db_role_setting
    WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
    UNION ALL SELECT concat_ws(',', 'schema', oid) FROM pg_namespace WHERE nspname !~ '^pg_(temp|toast_temp)') AS parts`;
