-- $1 account, $2 endpoint, $3 latest, $4 since
WITH latest AS MATERIALIZED (
  SELECT * FROM delivery WHERE merchant_account_id = $1 AND endpoint_id = $2::uuid ORDER BY position DESC LIMIT $3),
chosen AS MATERIALIZED (SELECT * FROM latest WHERE $4::timestamptz IS NULL OR created_at >= $4),
answered AS (
  SELECT percentile_disc(ARRAY[0.5, 0.9, 0.95, 0.99]) WITHIN GROUP (ORDER BY a.duration_ms) AS times
  FROM chosen c CROSS JOIN LATERAL (
    SELECT b.duration_ms FROM delivery_attempt b
    WHERE b.merchant_account_id = c.merchant_account_id AND b.endpoint_id = c.endpoint_id AND b.position = c.position
    ORDER BY b.number DESC LIMIT 1) a
  WHERE c.state = 'done')
SELECT count(*) FILTER (WHERE c.state = 'done')::int AS delivered, count(*) FILTER (WHERE c.state = 'pending')::int AS pending, count(*) FILTER (WHERE c.state = 'leased')::int AS "inFlight",
  count(*) FILTER (WHERE c.state = 'expired')::int AS expired, count(*) FILTER (WHERE c.state = 'cancelled')::int AS cancelled, coalesce(sum(c.attempts_made), 0)::int AS attempts,
  min(c.created_at) FILTER (WHERE c.state IN ('pending', 'leased')) AS "oldestOpenAt", count(*) < $3 AS "isComplete",
  (SELECT times FROM answered) AS times
FROM chosen c
HAVING EXISTS (SELECT FROM webhook_endpoint w
  WHERE w.merchant_account_id = $1 AND w.id = $2::uuid AND w.deleted_at IS NULL)
