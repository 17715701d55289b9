-- Locks the running job that has waited longest and whose endpoint has fewer than @dueMax due deliveries.
-- Answers no row when none is ready. Skips a job that another process has locked.
-- The count of due deliveries ends at @dueMax. The difference is the room for further deliveries.
SELECT j.merchant_account_id AS account, j.id, j.endpoint_id AS endpoint, j.scope,
  j.done_sequence AS "doneSequence", j.until_sequence AS "untilSequence", @dueMax::int - due.count AS room
FROM replay_job j
CROSS JOIN LATERAL (
  SELECT count(*)::int
  FROM (
    SELECT 1 FROM delivery d
    WHERE d.endpoint_id = j.endpoint_id AND d.state = 'pending' AND d.next_at <= @now::timestamptz
    LIMIT @dueMax::int) one) due
WHERE j.state = 'running' AND due.count < @dueMax::int
  AND j.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
ORDER BY j.updated_at LIMIT 1 FOR NO KEY UPDATE OF j SKIP LOCKED
