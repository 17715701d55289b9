-- Counts the payment services whose settlements cannot be fetched, of all merchant accounts, up to @limit, by
-- the latest failure. Reads since when the first of them fails. Locks nothing.
SELECT failure AS state, count(*)::int AS count, min(failed_at) AS oldest
FROM (SELECT failure, failed_at FROM settlement_source WHERE failure IS NOT NULL LIMIT @limit::int) failed
GROUP BY failure
