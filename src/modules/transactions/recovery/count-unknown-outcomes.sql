-- Counts the operations of unknown outcome of all merchant accounts, up to @limit. Reads the moment since
-- when the oldest is unknown. Locks nothing.
-- Nobody asks the provider again without a next attempt. Such an operation waits for a webhook or a person.
SELECT state, count(*)::int AS count, min(unknown_at) AS oldest
FROM (
  SELECT CASE WHEN next_attempt_at IS NULL THEN 'person' ELSE 'retry' END AS state, unknown_at FROM operation
  WHERE status = 'pending' AND unknown_at IS NOT NULL LIMIT @limit::int) unknown
GROUP BY state
