-- Locks the failed or expired export with chunks that ended first. Deletes the last chunks of the export, at
-- most @limit. Answers no row when no such export has chunks. Skips an export that another process has
-- locked.
-- The last chunks go first, and the number of the chunks that are left says where to continue.
WITH due AS (
  SELECT merchant_account_id, id, chunks FROM export
  WHERE status IN ('failed', 'expired') AND chunks > 0
    AND merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
  ORDER BY ended_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED),
removed AS (
  DELETE FROM export_chunk c
  USING due d
  WHERE c.merchant_account_id = d.merchant_account_id AND c.export_id = d.id
    AND c.number > d.chunks - @limit::int)
UPDATE export e SET chunks = greatest(d.chunks - @limit::int, 0) FROM due d
WHERE e.merchant_account_id = d.merchant_account_id AND e.id = d.id RETURNING e.id
