-- Counts the events of a range that are about one record and match a pattern, up to the limit.
-- The statement looks up the events by their record, and their feed entries one by one. OFFSET 0 prevents a
-- scan of the whole feed in its order. The inner ORDER BY is the order of the index of records.
-- An empty list of patterns matches every name. Neither patterns nor names hold wildcards of LIKE.
SELECT count(*)::int AS count
FROM (
  SELECT
  FROM (
    SELECT * FROM event
    WHERE merchant_account_id = @account::text AND target_type = @type::text AND target_id = @id::text
    ORDER BY position OFFSET 0) e
  CROSS JOIN LATERAL (
    SELECT sequence FROM feed_entry
    WHERE merchant_account_id = @account AND position = ANY (ARRAY[e.position])
    ORDER BY position LIMIT 1) f
  WHERE f.sequence > @after::bigint AND f.sequence <= @until::bigint
    AND (coalesce(cardinality(@patterns::text[]), 0) = 0
      OR EXISTS (
        SELECT FROM unnest(@patterns::text[]) AS pattern WHERE e.name LIKE replace(pattern, '*', '%')))
  LIMIT @limit::bigint) matches
