-- $1 dueMax, $2 now
SELECT j.merchant_account_id AS account, j.id, j.endpoint_id AS endpoint, j.scope,
       j.done_sequence AS "doneSequence", j.until_sequence AS "untilSequence", $1::int - due.count AS room
FROM replay_job j CROSS JOIN LATERAL (
  SELECT count(*)::int FROM (
    SELECT 1 FROM delivery d WHERE d.endpoint_id = j.endpoint_id AND d.state = 'pending' AND d.next_at <= $2
    LIMIT $1::int) one) due
WHERE j.state = 'running' AND due.count < $1::int
ORDER BY j.updated_at LIMIT 1 FOR NO KEY UPDATE OF j SKIP LOCKED
