-- Reads the time of creation of the first event, by position, that waits for the relay. Answers no row when
-- none waits.
-- Transactions commit in another order than that of their positions. The reader therefore remembers each
-- position that was not there, in `missing` and `young`, and looks again.
WITH reader AS (
  SELECT *, xmin::text AS version, pg_snapshot_xmin(pg_current_snapshot())::text AS "oldestRunning"
  FROM log_cursor WHERE name = 'feed'),
waiting AS (
  SELECT e.position, e.merchant_account_id, e.name, e.target_id, e.created_at FROM reader r
  CROSS JOIN LATERAL unnest(r.missing + r.young) AS gap
  CROSS JOIN LATERAL (
    SELECT * FROM event WHERE position >= lower(gap) AND position < upper(gap) ORDER BY position LIMIT 1) e
  UNION ALL (
    SELECT e.position, e.merchant_account_id, e.name, e.target_id, e.created_at FROM event e
    WHERE e.position > (SELECT position FROM reader)
    ORDER BY e.position LIMIT 1))
SELECT created_at FROM waiting
ORDER BY position LIMIT 1
