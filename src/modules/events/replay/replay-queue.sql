-- Queues one event for each given endpoint, and writes a finished replay job for each. Answers the jobs that
-- queued a delivery.
-- A delivery in the queue or under a lease stays unchanged. An ended one restarts with a whole new schedule,
-- and its number of attempts continues. The rows are locked in the order of the endpoints.
WITH target AS (
  SELECT * FROM unnest(@endpoints::uuid[], @jobs::uuid[]) AS t (endpoint_id, job_id)),
queued AS (
  INSERT INTO delivery (merchant_account_id, endpoint_id, position, replay_id, next_at, deadline, created_at)
  SELECT @account::text, endpoint_id, @position::bigint, job_id, @now::timestamptz, @deadline::timestamptz,
    @now
  FROM target
  ORDER BY endpoint_id
  ON CONFLICT (merchant_account_id, endpoint_id, position) DO UPDATE SET state = 'pending', attempt = 0,
    replay_id = excluded.replay_id, next_at = excluded.next_at, deadline = excluded.deadline,
    settled_at = NULL
  WHERE delivery.state NOT IN ('pending', 'leased') RETURNING replay_id),
recorded AS (
  INSERT INTO replay_job (merchant_account_id, id, endpoint_id, scope, from_sequence, until_sequence,
    done_sequence, queued, state, created_at, updated_at, ended_at)
  SELECT @account, t.job_id, t.endpoint_id, 'all', @sequence::bigint, @sequence, @sequence,
    count(q.replay_id), 'done', @now, @now, @now
  FROM target t
  LEFT JOIN queued q ON q.replay_id = t.job_id
  GROUP BY t.job_id, t.endpoint_id)
SELECT replay_id FROM queued
