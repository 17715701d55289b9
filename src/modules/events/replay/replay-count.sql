-- Counts the events of a part of the feed that are in a scope of an endpoint's replay. Reads the whole part,
-- from behind @after up to @until.
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
  WHERE w.merchant_account_id = @account::text AND w.id = @endpoint::uuid)
SELECT count(*)::int AS count FROM feed_range s
WHERE
  CASE
    WHEN s.state IS NULL THEN s.matches AND @scope::text <> 'failed'
    WHEN @scope::text = 'missing' THEN false
    ELSE s.state IN ('expired', 'cancelled') OR (s.state = 'done' AND @scope::text = 'all') END
