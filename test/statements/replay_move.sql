-- $1 after, $2 until, $3 account, $4 endpoint, $5 scope, $6 room, $7 id, $8 now, $9 deadline
WITH 
feed_range AS MATERIALIZED (
  SELECT f.sequence, f.position, d.state, (coalesce(cardinality(w.event_names), 0) = 0 OR EXISTS (
   SELECT FROM unnest(w.event_names) AS pattern WHERE e.name LIKE replace(pattern, '*', '%'))) AS matches
  FROM webhook_endpoint w
  JOIN feed_entry f ON f.merchant_account_id = w.merchant_account_id AND f.sequence > $1 AND f.sequence <= $2
  CROSS JOIN LATERAL (
SELECT * FROM event WHERE position = ANY (ARRAY[f.position]) ORDER BY position LIMIT 1) e
  LEFT JOIN delivery d ON d.endpoint_id = w.id AND d.position = f.position
  WHERE w.merchant_account_id = $3 AND w.id = $4::uuid),
 chosen AS MATERIALIZED (
   SELECT s.sequence, s.position FROM feed_range s WHERE
CASE WHEN s.state IS NULL THEN s.matches AND $5::text <> 'failed'
     WHEN $5::text = 'missing' THEN false
     ELSE s.state IN ('expired', 'cancelled') OR (s.state = 'done' AND $5::text = 'all') END ORDER BY s.sequence LIMIT $6::int),
 queued AS (
   INSERT INTO delivery (merchant_account_id, endpoint_id, position, replay_id, next_at, deadline, created_at)
   SELECT $3, $4::uuid, position, $7::uuid, $8, $9, $8 FROM chosen ORDER BY position
ON CONFLICT (merchant_account_id, endpoint_id, position) DO UPDATE SET state = 'pending', attempt = 0, replay_id = excluded.replay_id,
  next_at = excluded.next_at, deadline = excluded.deadline, settled_at = NULL
WHERE delivery.state NOT IN ('pending', 'leased') RETURNING 1),
 reached AS (
   SELECT CASE WHEN count(*) = $6::int THEN max(sequence) ELSE $2 END AS sequence FROM chosen)
 UPDATE replay_job j SET done_sequence = reached.sequence, queued = queued + (SELECT count(*) FROM queued),
   updated_at = $8, state = CASE WHEN reached.sequence = j.until_sequence THEN 'done' ELSE j.state END,
   ended_at = CASE WHEN reached.sequence = j.until_sequence THEN $8::timestamptz END
 FROM reached WHERE j.merchant_account_id = $3 AND j.id = $7::uuid
