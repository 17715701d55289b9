-- Reads the partitions of events whose events all reached the feed before a moment, in no order. The first
-- feed entry behind a partition tells the moment. A partition without such an entry has no row.
-- A bound reads `FOR VALUES FROM ('0') TO ('1000000')`. A partition has the positions from `from`, below
-- `until`. Positions grow with time, so a range of positions is a range of time.
SELECT p."from", p.until
FROM (
  SELECT *
  FROM (
    SELECT CASE i.inhparent WHEN 'event'::regclass THEN 'event' ELSE 'delivery_attempt' END AS "table",
      c.relname AS name, substring(b.bound FROM $$FROM \('?(\d+)$$)::bigint AS "from",
      substring(b.bound FROM $$TO \('?(\d+)$$)::bigint AS until
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bound) b
    WHERE i.inhparent IN ('event'::regclass, 'delivery_attempt'::regclass) AND b.bound <> 'DEFAULT') one
  WHERE "table" = 'event') p
CROSS JOIN LATERAL (SELECT created_at FROM feed_entry WHERE position >= p.until ORDER BY position LIMIT 1) f
WHERE f.created_at < @before::timestamptz
