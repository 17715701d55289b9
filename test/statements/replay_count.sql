-- $1 after, $2 until, $3 account, $4 endpoint, $5 scope
WITH 
feed_range AS MATERIALIZED (
  SELECT f.sequence, f.position, d.state, (coalesce(cardinality(w.event_names), 0) = 0 OR EXISTS (
   SELECT FROM unnest(w.event_names) AS pattern WHERE e.name LIKE replace(pattern, '*', '%'))) AS matches
  FROM webhook_endpoint w
  JOIN feed_entry f ON f.merchant_account_id = w.merchant_account_id AND f.sequence > $1 AND f.sequence <= $2
  CROSS JOIN LATERAL (
SELECT * FROM event WHERE position = ANY (ARRAY[f.position]) ORDER BY position LIMIT 1) e
  LEFT JOIN delivery d ON d.endpoint_id = w.id AND d.position = f.position
  WHERE w.merchant_account_id = $3 AND w.id = $4::uuid) SELECT count(*)::int AS count FROM feed_range s WHERE
CASE WHEN s.state IS NULL THEN s.matches AND $5::text <> 'failed'
     WHEN $5::text = 'missing' THEN false
     ELSE s.state IN ('expired', 'cancelled') OR (s.state = 'done' AND $5::text = 'all') END
