-- Reads the ids of the endpoints whose patterns match the event now, by id, without deleted ones. An empty
-- list of patterns matches every name. Neither patterns nor names hold wildcards of LIKE.
SELECT w.id FROM event e
JOIN webhook_endpoint w USING (merchant_account_id)
WHERE e.merchant_account_id = @account::text AND e.position = @position::bigint AND w.deleted_at IS NULL
  AND (coalesce(cardinality(w.event_names), 0) = 0
    OR EXISTS (SELECT FROM unnest(w.event_names) AS pattern WHERE e.name LIKE replace(pattern, '*', '%')))
ORDER BY w.id
