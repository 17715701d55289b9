-- Reads the first and the last position with a partition of attempts, and the last committed position of the
-- log. Tells if a delivery is before the first partition. The event of such a delivery was committed after
-- the drop of its partition.
-- A bound reads `FOR VALUES FROM ('0') TO ('1000000')`. A partition has the positions from `from`, below
-- `until`. Positions grow with time, so a range of positions is a range of time.
SELECT coalesce(min(p."from"), 0) AS "from", coalesce(max(p.until), 0) AS until,
  (SELECT coalesce(max(position), 0) FROM event) AS last,
  coalesce((SELECT position FROM delivery ORDER BY position LIMIT 1) < min(p."from"), false) AS "isShort"
FROM (
  SELECT *
  FROM (
    SELECT CASE i.inhparent WHEN 'event'::regclass THEN 'event' ELSE 'delivery_attempt' END AS "table",
      c.relname AS name, substring(b.bound FROM $$FROM \('?(\d+)$$)::bigint AS "from",
      substring(b.bound FROM $$TO \('?(\d+)$$)::bigint AS until
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bound) b
    WHERE i.inhparent IN ('event'::regclass, 'delivery_attempt'::regclass) AND b.bound <> 'DEFAULT') one
  WHERE "table" = 'delivery_attempt') p
