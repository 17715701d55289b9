SELECT coalesce(max(p.until), 0) AS until, (SELECT coalesce(max(position), 0) FROM event) AS last
 FROM (
SELECT c.relname AS name, substring(b.bound FROM $$FROM \('?(\d+)$$)::bigint AS "from",
       substring(b.bound FROM $$TO \('?(\d+)$$)::bigint AS until
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bound) b
WHERE i.inhparent = 'delivery_attempt'::regclass) p
