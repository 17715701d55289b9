-- Counts the replays of all merchant accounts that are running, up to @limit, and reads the moment of the
-- oldest. Locks nothing.
SELECT 'running' AS state, count(*)::int AS count, min(created_at) AS oldest
FROM (SELECT created_at FROM replay_job WHERE state = 'running' LIMIT @limit::int) running
