-- $1 account, $2 before
WITH 
reader AS (
  SELECT *, xmin::text AS version, pg_snapshot_xmin(pg_current_snapshot())::text AS "oldestRunning"
  FROM log_cursor WHERE name = 'audit'),
waiting AS (
  SELECT e.* FROM reader CROSS JOIN LATERAL unnest(reader.missing + reader.young) AS gap CROSS JOIN LATERAL (
    SELECT * FROM audit_entry WHERE position >= lower(gap) AND position < upper(gap) ORDER BY position LIMIT ALL) e
  UNION ALL
  (SELECT e.* FROM audit_entry e WHERE e.position > (SELECT position FROM reader) ORDER BY e.position LIMIT ALL))
 SELECT count(*)::int AS entries FROM waiting WHERE merchant_account_id = $1 AND created_at < $2
