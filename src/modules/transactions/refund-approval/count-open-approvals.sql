-- Counts the refunds that wait for a second person, of all merchant accounts, up to @limit. Counts the
-- approved refunds that a worker still makes likewise. Reads the moment of the oldest of each. Locks
-- nothing.
SELECT state, count(*)::int AS count, min(created_at) AS oldest
FROM (
  (SELECT 'pending' AS state, created_at FROM refund_approval WHERE status = 'pending' LIMIT @limit::int)
  UNION ALL (
    SELECT 'running' AS state, created_at FROM refund_approval
    WHERE next_attempt_at IS NOT NULL LIMIT @limit::int)) approval
GROUP BY state
