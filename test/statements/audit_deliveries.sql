-- $1 now, $2 deadline, $3 after, $4 until
INSERT INTO delivery (merchant_account_id, endpoint_id, position, next_at, deadline, created_at)
         SELECT e.merchant_account_id, w.id, e.position, $1, $2, $1
         FROM feed_entry f JOIN event e USING (position)
         JOIN webhook_endpoint w ON w.merchant_account_id = e.merchant_account_id
         WHERE f.position > $3 AND f.position <= $4 AND e.position > $3 AND e.position <= $4
           AND w.deleted_at IS NULL AND (e.position > w.created_position OR e.position = ANY (w.created_gaps))
AND (coalesce(cardinality(w.event_names), 0) = 0 OR EXISTS (
   SELECT FROM unnest(w.event_names) AS pattern WHERE e.name LIKE replace(pattern, '*', '%')))
AND NOT (e.name IN ('webhook-endpoint.failing', 'webhook-endpoint.recovered', 'webhook-endpoint.disabled') AND e.target_id = w.id::text)
           AND w.updated_at < f.created_at - interval '1 minute'
           AND NOT EXISTS (SELECT FROM delivery d WHERE d.endpoint_id = w.id AND d.position = f.position)
         ON CONFLICT (merchant_account_id, endpoint_id, position) DO NOTHING
         RETURNING position
