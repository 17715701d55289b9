WITH 
reader AS (
  SELECT *, xmin::text AS version, pg_snapshot_xmin(pg_current_snapshot())::text AS "oldestRunning"
  FROM log_cursor WHERE name = 'reports'),
waiting AS (
  SELECT e.position, e.merchant_account_id, e.id, e.created_at FROM reader CROSS JOIN LATERAL unnest(reader.missing + reader.young) AS gap CROSS JOIN LATERAL (
    SELECT * FROM ledger_entry WHERE position >= lower(gap) AND position < upper(gap) ORDER BY position LIMIT 1) e
  UNION ALL
  (SELECT e.position, e.merchant_account_id, e.id, e.created_at FROM ledger_entry e WHERE e.position > (SELECT position FROM reader) ORDER BY e.position LIMIT 1))
 SELECT created_at FROM (
   (SELECT created_at FROM report_pending ORDER BY position LIMIT 1)
   UNION ALL (SELECT created_at FROM waiting ORDER BY position LIMIT 1)) o
 ORDER BY created_at LIMIT 1
