-- Locks the due export that has waited longest, and leases it to the caller until @leaseUntil. Answers no row
-- when none is due.
-- The lock of the row keeps a second process from the same export. A skipped row is claimed elsewhere.
WITH due AS (
  SELECT merchant_account_id, id FROM export
  WHERE status IN ('pending', 'running') AND next_at <= @now::timestamptz
    AND merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
  ORDER BY next_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
UPDATE export e SET status = 'running', started_at = coalesce(e.started_at, @now),
  next_at = @leaseUntil::timestamptz, lease = @lease::uuid
FROM due d
WHERE e.merchant_account_id = d.merchant_account_id AND e.id = d.id
RETURNING e.merchant_account_id AS "merchantAccountId", e.id, e.type, e.format, e.filter, e.position,
  e.chunks, e.failures, e.lease, e.byte_order_mark AS "byteOrderMark", e.created_at AS "createdAt"
