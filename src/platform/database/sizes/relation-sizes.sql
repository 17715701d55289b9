-- Reads the sizes of the tables and indexes, largest first, at most @limit, with the figures of their upkeep.
-- Locks nothing that others wait for. A table or index that others lock, or wait to lock, has no bytes.
-- A number below 0 says that nobody has analyzed the table yet.
WITH locked AS MATERIALIZED (
  SELECT l.relation FROM pg_locks l JOIN pg_database d ON d.oid = l.database
  WHERE d.datname = current_database() AND l.mode = 'AccessExclusiveLock' AND l.relation IS NOT NULL),
relations AS MATERIALIZED (
  SELECT c.oid, c.relname, c.relkind, c.reltuples,
    CASE WHEN c.oid NOT IN (SELECT relation FROM locked) THEN pg_relation_size(c.oid) END AS bytes
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'i'))
SELECT r.relname AS name, r.relkind::text AS kind, r.bytes::float8 AS bytes,
  r.reltuples::float8 AS rows, s.n_dead_tup::float8 AS dead, s.last_autovacuum AS vacuumed,
  s.last_autoanalyze AS analyzed
FROM relations r
LEFT JOIN pg_stat_user_tables s ON s.relid = r.oid
ORDER BY r.bytes DESC NULLS FIRST, r.relname LIMIT @limit::int
