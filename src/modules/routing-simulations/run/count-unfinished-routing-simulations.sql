-- Counts the unfinished simulations of all merchant accounts by state, up to @limit. Reads the moment of the
-- oldest. Locks nothing.
SELECT status AS state, count(*)::int AS count, min(created_at) AS oldest
FROM (
  SELECT status, created_at FROM routing_simulation WHERE status IN ('pending', 'running')
  LIMIT @limit::int) unfinished
GROUP BY status
