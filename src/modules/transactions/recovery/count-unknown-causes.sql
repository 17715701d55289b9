-- Counts the operations of unknown outcome of all merchant accounts, up to @limit, by the cause. Reads since
-- when the oldest is unknown. Locks nothing.
SELECT coalesce(unknown_cause, 'no cause') AS state, count(*)::int AS count, min(unknown_at) AS oldest
FROM (
  SELECT unknown_cause, unknown_at FROM operation
  WHERE status = 'pending' AND unknown_at IS NOT NULL LIMIT @limit::int) unknown
GROUP BY 1
