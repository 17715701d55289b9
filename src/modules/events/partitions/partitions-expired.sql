-- Reads the name of the oldest partition of events or attempts that may be dropped. Answers no row when none
-- may. The attempts of a range follow its events.
-- A bound reads `FOR VALUES FROM ('0') TO ('1000000')`. A partition has the positions from `from`, below
-- `until`. Positions grow with time, so a range of positions is a range of time.
--
-- - All feed entries of the partition's positions are removed.
-- - No event before the end of the partition waits for the relay. Transactions commit in another order than
--   that of their positions. The reader therefore remembers each position that was not there, in `missing`
--   and `young`, and looks again.
-- - The next partition has an event that reached the feed before @settledBefore. No transaction is therefore
--   about to write an event into this partition.
SELECT p.name
FROM (
  SELECT CASE i.inhparent WHEN 'event'::regclass THEN 'event' ELSE 'delivery_attempt' END AS "table",
    c.relname AS name, substring(b.bound FROM $$FROM \('?(\d+)$$)::bigint AS "from",
    substring(b.bound FROM $$TO \('?(\d+)$$)::bigint AS until
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bound) b
  WHERE i.inhparent IN ('event'::regclass, 'delivery_attempt'::regclass) AND b.bound <> 'DEFAULT') p
WHERE p.until <= (SELECT position FROM feed_entry ORDER BY position LIMIT 1)
  AND NOT EXISTS (
    WITH reader AS (
      SELECT *, xmin::text AS version, pg_snapshot_xmin(pg_current_snapshot())::text AS "oldestRunning"
      FROM log_cursor WHERE name = 'feed'),
    waiting AS (
      SELECT e.position, e.merchant_account_id, e.name, e.target_id, e.created_at FROM reader r
      CROSS JOIN LATERAL unnest(r.missing + r.young) AS gap
      CROSS JOIN LATERAL (
        SELECT * FROM event
        WHERE position >= lower(gap) AND position < upper(gap)
        ORDER BY position LIMIT 1) e
      UNION ALL (
        SELECT e.position, e.merchant_account_id, e.name, e.target_id, e.created_at FROM event e
        WHERE e.position > (SELECT position FROM reader)
        ORDER BY e.position LIMIT 1))
    SELECT FROM waiting WHERE position < p.until)
  AND (SELECT created_at FROM feed_entry WHERE position >= p.until ORDER BY position LIMIT 1) <
    @settledBefore::timestamptz
ORDER BY p.until, p."table" DESC LIMIT 1
