-- Locks the due simulation that has waited longest, and leases it to the caller until @leaseUntil. Answers no
-- row when none is due.
-- The lock of the row keeps a second process from the same simulation. A skipped row is claimed elsewhere.
-- A lease that nobody gave back counts as a failure: its process died.
WITH due AS (
  SELECT merchant_account_id, id FROM routing_simulation
  WHERE status IN ('pending', 'running') AND next_at <= @now::timestamptz
    AND merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
  ORDER BY next_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
UPDATE routing_simulation s SET status = 'running', started_at = coalesce(s.started_at, @now),
  next_at = @leaseUntil::timestamptz, lease = @lease::uuid,
  failures = s.failures + (s.lease IS NOT NULL)::int
FROM due d
WHERE s.merchant_account_id = d.merchant_account_id AND s.id = d.id
RETURNING s.merchant_account_id AS "merchantAccountId", s.id, s.version_id AS "versionId",
  s.from_at AS "from", s.to_at AS "to", s.sample,
  s.created_at AS "createdAt",
  s.place_at AS "placeAt", s.place_id AS "placeId", s.tally, s.failures, s.lease
