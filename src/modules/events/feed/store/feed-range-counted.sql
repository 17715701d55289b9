-- Counts the events of a range that match a pattern, in the order of the feed, up to the limit.
-- The ORDER BY in the event's look-up makes every plan use the index by position. The index of records has
-- the position last, and Postgres would read it from end to end.
-- An empty list of patterns matches every name. Neither patterns nor names hold wildcards of LIKE.
SELECT count(*)::int AS count
FROM (
  SELECT FROM feed_entry f
  CROSS JOIN LATERAL (
    SELECT * FROM event
    WHERE merchant_account_id = @account AND position = ANY (ARRAY[f.position])
    ORDER BY position LIMIT 1) e
  WHERE f.merchant_account_id = @account::text AND f.sequence > @after::bigint
    AND f.sequence <= @until::bigint
    AND (coalesce(cardinality(@patterns::text[]), 0) = 0
      OR EXISTS (
        SELECT FROM unnest(@patterns::text[]) AS pattern WHERE e.name LIKE replace(pattern, '*', '%')))
  ORDER BY f.sequence LIMIT @limit::bigint) matches
