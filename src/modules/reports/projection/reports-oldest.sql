-- Reads the moment of the oldest fact that no sum has yet, of any account. Answers no row when the sums have
-- all facts.
-- - The expressions `waiting` and `begun_waiting` hold the first unread rows of a reader. These are one of
--   each gap, and one behind its cursor. Transactions commit in another order than that of their positions.
--   A reader therefore remembers each missing position, and looks again.
-- - Each source gives its first row by position. The oldest of the three is the answer.
WITH reader AS (
  SELECT *, xmin::text AS version, pg_snapshot_xmin(pg_current_snapshot())::text AS "oldestRunning"
  FROM log_cursor WHERE name = 'reports'),
waiting AS (
  SELECT e.position, e.merchant_account_id, e.id, e.created_at FROM reader r
  CROSS JOIN LATERAL unnest(r.missing + r.young) AS gap
  CROSS JOIN LATERAL (
    SELECT * FROM ledger_entry
    WHERE position >= lower(gap) AND position < upper(gap)
    ORDER BY position LIMIT 1) e
  UNION ALL (
    SELECT e.position, e.merchant_account_id, e.id, e.created_at FROM ledger_entry e
    WHERE e.position > (SELECT position FROM reader)
    ORDER BY e.position LIMIT 1)),
begun_reader AS (
  SELECT *, xmin::text AS version, pg_snapshot_xmin(pg_current_snapshot())::text AS "oldestRunning"
  FROM log_cursor WHERE name = 'reports of payments'),
begun_waiting AS (
  SELECT e.position, e.merchant_account_id, e.transaction_id, e.created_at FROM begun_reader r
  CROSS JOIN LATERAL unnest(r.missing + r.young) AS gap
  CROSS JOIN LATERAL (
    SELECT * FROM operation
    WHERE position >= lower(gap) AND position < upper(gap)
    ORDER BY position LIMIT 1) e
  UNION ALL (
    SELECT e.position, e.merchant_account_id, e.transaction_id, e.created_at FROM operation e
    WHERE e.position > (SELECT position FROM begun_reader)
    ORDER BY e.position LIMIT 1))
SELECT created_at
FROM (
  (SELECT created_at FROM report_pending ORDER BY position LIMIT 1)
  UNION ALL (SELECT created_at FROM waiting ORDER BY position LIMIT 1)
  UNION ALL (SELECT created_at FROM begun_waiting ORDER BY position LIMIT 1)) o
ORDER BY created_at LIMIT 1
