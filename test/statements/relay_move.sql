-- $1 limit, $2 now, $3 deadline
WITH taken AS (
  DELETE FROM event_pending
  WHERE position IN (SELECT position FROM event_pending ORDER BY position LIMIT $1)
  RETURNING position),
event_in_order AS (
  SELECT e.position, e.merchant_account_id, e.name, e.target_id, e.created_at,
         row_number() OVER (PARTITION BY e.merchant_account_id ORDER BY e.position) AS nth,
         count(*) OVER (PARTITION BY e.merchant_account_id) AS total
  FROM taken CROSS JOIN LATERAL (
SELECT * FROM event WHERE position = ANY (ARRAY[taken.position]) ORDER BY position LIMIT 1) e),
head AS (
  INSERT INTO feed_head AS h (merchant_account_id, sequence)
  SELECT merchant_account_id, total FROM event_in_order WHERE nth = 1
  ON CONFLICT (merchant_account_id) DO UPDATE SET sequence = h.sequence + excluded.sequence
  RETURNING h.merchant_account_id, h.sequence),
fed AS (
  INSERT INTO feed_entry (merchant_account_id, sequence, position, created_at)
  SELECT e.merchant_account_id, head.sequence - e.total + e.nth, e.position, $2
  FROM event_in_order e JOIN head USING (merchant_account_id)),
sent AS (
  INSERT INTO delivery (merchant_account_id, endpoint_id, position, next_at, deadline, created_at)
  SELECT e.merchant_account_id, w.id, e.position, $2, $3, $2
  FROM event_in_order e JOIN webhook_endpoint w USING (merchant_account_id)
  WHERE w.deleted_at IS NULL AND (e.position > w.created_position OR e.position = ANY (w.created_gaps))
AND (coalesce(cardinality(w.event_names), 0) = 0 OR EXISTS (
   SELECT FROM unnest(w.event_names) AS pattern WHERE e.name LIKE replace(pattern, '*', '%')))
AND NOT (e.name IN ('webhook-endpoint.failing', 'webhook-endpoint.recovered', 'webhook-endpoint.disabled') AND e.target_id = w.id::text))
SELECT count(*)::int AS moved, pg_notify('paygraph_feed', '') FROM taken
