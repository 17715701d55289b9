-- $1 settledBefore
SELECT p.name FROM (
SELECT c.relname AS name, substring(b.bound FROM $$FROM \('?(\d+)$$)::bigint AS "from",
       substring(b.bound FROM $$TO \('?(\d+)$$)::bigint AS until
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bound) b
WHERE i.inhparent = 'delivery_attempt'::regclass) p
 WHERE p.until <= (SELECT position FROM event ORDER BY position LIMIT 1)
   AND (SELECT created_at FROM feed_entry WHERE position >= p.until ORDER BY position LIMIT 1) < $1
 ORDER BY p.until LIMIT 1
