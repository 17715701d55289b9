-- Reads the first range of positions that has a partition of attempts, lacks one of events, and may get one.
-- Answers no row when no range may.
-- A partition of events has the borders of a partition of attempts. No event may have such a position yet:
-- the event would be in the default partition. A statement that runs meanwhile may take some further
-- positions. The range must therefore begin more than half a partition after the last position.
-- A bound reads `FOR VALUES FROM ('0') TO ('1000000')`. A partition has the positions from `from`, below
-- `until`. Positions grow with time, so a range of positions is a range of time.
SELECT r."from", p.until
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
CROSS JOIN (
  SELECT coalesce(max(until), 0) AS until
  FROM (
    SELECT *
    FROM (
      SELECT CASE i.inhparent WHEN 'event'::regclass THEN 'event' ELSE 'delivery_attempt' END AS "table",
        c.relname AS name, substring(b.bound FROM $$FROM \('?(\d+)$$)::bigint AS "from",
        substring(b.bound FROM $$TO \('?(\d+)$$)::bigint AS until
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bound) b
      WHERE i.inhparent IN ('event'::regclass, 'delivery_attempt'::regclass) AND b.bound <> 'DEFAULT') one
    WHERE "table" = 'event') q) e
CROSS JOIN LATERAL (SELECT greatest(p."from", e.until) AS "from") r
WHERE p.until > e.until
  AND r."from" > (p.until - p."from") / 2
    + greatest(pg_sequence_last_value('event_position_seq'), (SELECT max(position) FROM event), 0)
ORDER BY p.until LIMIT 1
