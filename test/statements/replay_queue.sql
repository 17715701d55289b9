-- $1 endpoints, $2 jobs, $3 account, $4 position, $5 now, $6 deadline, $7 sequence
WITH target AS (SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS t (endpoint_id, job_id)),
   queued AS (
     INSERT INTO delivery (merchant_account_id, endpoint_id, position, replay_id, next_at, deadline, created_at)
     SELECT $3, endpoint_id, $4, job_id, $5, $6, $5 FROM target ORDER BY endpoint_id
ON CONFLICT (merchant_account_id, endpoint_id, position) DO UPDATE SET state = 'pending', attempt = 0, replay_id = excluded.replay_id,
  next_at = excluded.next_at, deadline = excluded.deadline, settled_at = NULL
WHERE delivery.state NOT IN ('pending', 'leased') RETURNING replay_id),
   recorded AS (
     INSERT INTO replay_job (merchant_account_id, id, endpoint_id, scope, from_sequence, until_sequence, done_sequence,
                             queued, state, created_at, updated_at, ended_at)
     SELECT $3, t.job_id, t.endpoint_id, 'all', $7, $7, $7, count(q.replay_id), 'done', $5, $5, $5
     FROM target t LEFT JOIN queued q ON q.replay_id = t.job_id GROUP BY t.job_id, t.endpoint_id)
   SELECT replay_id FROM queued
