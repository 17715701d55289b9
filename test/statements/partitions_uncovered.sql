SELECT r."from", p.until
 FROM (SELECT * FROM (
SELECT CASE i.inhparent WHEN 'event'::regclass THEN 'event' ELSE 'delivery_attempt' END AS "table", c.relname AS name,
       substring(b.bound FROM $$FROM \('?(\d+)$$)::bigint AS "from", substring(b.bound FROM $$TO \('?(\d+)$$)::bigint AS until
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bound) b
WHERE i.inhparent IN ('event'::regclass, 'delivery_attempt'::regclass) AND b.bound <> 'DEFAULT') one WHERE "table" = 'delivery_attempt') p CROSS JOIN (SELECT coalesce(max(until), 0) AS until FROM (SELECT * FROM (
SELECT CASE i.inhparent WHEN 'event'::regclass THEN 'event' ELSE 'delivery_attempt' END AS "table", c.relname AS name,
       substring(b.bound FROM $$FROM \('?(\d+)$$)::bigint AS "from", substring(b.bound FROM $$TO \('?(\d+)$$)::bigint AS until
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bound) b
WHERE i.inhparent IN ('event'::regclass, 'delivery_attempt'::regclass) AND b.bound <> 'DEFAULT') one WHERE "table" = 'event') q) e
 CROSS JOIN LATERAL (SELECT greatest(p."from", e.until) AS "from") r
 WHERE p.until > e.until
   AND r."from" > (p.until - p."from") / 2 + greatest(
     pg_sequence_last_value('event_position_seq'), (SELECT max(position) FROM event), 0)
 ORDER BY p.until LIMIT 1
