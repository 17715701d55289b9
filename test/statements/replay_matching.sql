-- $1 account, $2 position
SELECT w.id FROM event e JOIN webhook_endpoint w USING (merchant_account_id)
WHERE e.merchant_account_id = $1 AND e.position = $2 AND w.deleted_at IS NULL
  AND (coalesce(cardinality(w.event_names), 0) = 0 OR EXISTS (
  SELECT FROM unnest(w.event_names) AS pattern WHERE e.name LIKE replace(pattern, '*', '%')))
ORDER BY w.id
