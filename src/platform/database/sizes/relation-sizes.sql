-- Reads the sizes of the tables and indexes, largest first, at most @limit, with the figures of their upkeep.
-- Locks nothing that others wait for.
-- A number below 0 says that nobody has analyzed the table yet.
SELECT c.relname AS name, c.relkind::text AS kind, pg_relation_size(c.oid)::float8 AS bytes,
  c.reltuples::float8 AS rows, s.n_dead_tup::float8 AS dead, s.last_autovacuum AS vacuumed,
  s.last_autoanalyze AS analyzed
FROM pg_class c
LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'i')
ORDER BY pg_relation_size(c.oid) DESC, c.relname LIMIT @limit::int
