-- Counts the open differences of all merchant accounts by finding, up to @limit, and reads the moment of
-- the oldest. Locks nothing.
SELECT finding AS state, count(*)::int AS count, min(found_at) AS oldest
FROM (SELECT finding, found_at FROM difference WHERE state = 'open' LIMIT @limit::int) open
GROUP BY finding
