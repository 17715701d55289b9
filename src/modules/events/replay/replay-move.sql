-- Queues the events in scope, from behind @after up to @until, as deliveries of one job. Writes the progress
-- of the job, and ends the job at its last sequence. The sender has locked the job.
-- The job continues after the last queued event when the room is smaller than the range.
-- A delivery in the queue or under a lease stays unchanged. An ended one restarts with a whole new schedule,
-- and its number of attempts continues.
-- A delivery in progress is in no scope. An event without a delivery is in scope by its name, unless the
-- scope is `failed`.
-- The ORDER BY in the event's look-up makes every plan use the index by position. The index of records has
-- the position last, and Postgres would read it from end to end. An empty list of patterns matches every
-- name. Neither patterns nor names hold wildcards of LIKE.
WITH feed_range AS MATERIALIZED (
  SELECT f.sequence, f.position, d.state,
    (coalesce(cardinality(w.event_names), 0) = 0
      OR EXISTS (SELECT FROM unnest(w.event_names) AS pattern WHERE e.name LIKE replace(pattern, '*', '%')))
      AS matches
  FROM webhook_endpoint w
  JOIN feed_entry f ON f.merchant_account_id = w.merchant_account_id AND f.sequence > @after::bigint
    AND f.sequence <= @until::bigint
  CROSS JOIN LATERAL (
    SELECT * FROM event
    WHERE merchant_account_id = @account AND position = ANY (ARRAY[f.position])
    ORDER BY position LIMIT 1) e
  LEFT JOIN delivery d ON d.merchant_account_id = ANY (ARRAY[w.merchant_account_id])
    AND d.endpoint_id = w.id AND d.position = f.position
  WHERE w.merchant_account_id = @account::text AND w.id = @endpoint::uuid),
chosen AS MATERIALIZED (
  SELECT s.sequence, s.position FROM feed_range s
  WHERE
    CASE
      WHEN s.state IS NULL THEN s.matches AND @scope::text <> 'failed'
      WHEN @scope::text = 'missing' THEN false
      ELSE s.state IN ('expired', 'cancelled') OR (s.state = 'done' AND @scope::text = 'all') END
  ORDER BY s.sequence LIMIT @room::int),
queued AS (
  INSERT INTO delivery (merchant_account_id, endpoint_id, position, replay_id, next_at, deadline, created_at)
  SELECT @account, @endpoint::uuid, position, @id::uuid, @now, @deadline::timestamptz, @now FROM chosen
  ORDER BY position
  ON CONFLICT (merchant_account_id, endpoint_id, position) DO UPDATE SET state = 'pending', attempt = 0,
    replay_id = excluded.replay_id, next_at = excluded.next_at, deadline = excluded.deadline,
    settled_at = NULL
  WHERE delivery.state NOT IN ('pending', 'leased') RETURNING 1),
reached AS (
  SELECT CASE WHEN count(*) = @room::int THEN max(sequence) ELSE @until END AS sequence FROM chosen)
UPDATE replay_job j SET done_sequence = reached.sequence, queued = queued + (SELECT count(*) FROM queued),
  updated_at = @now, state = CASE WHEN reached.sequence = j.until_sequence THEN 'done' ELSE j.state END,
  ended_at = CASE WHEN reached.sequence = j.until_sequence THEN @now::timestamptz END
FROM reached
WHERE j.merchant_account_id = @account AND j.id = @id::uuid
