-- Writes the missing deliveries of a part of the log for subscribed endpoints. Answers a row for each. No
-- delivery should be missing, because the relay writes deliveries with the feed entry.
-- Skips an endpoint that changed since the event, or within the minute before. The subscription of such an
-- endpoint at that time is unknown. A delivery that another process has written meanwhile stays unchanged.
-- Events since the creation of an endpoint are found by position, not by clocks, which differ between
-- processes. An endpoint gets no events about its own health. An endpoint that refused such an event would
-- fail by it again and again.
-- The bounds stand for both tables, because Postgres carries no range over a join. An empty list of patterns
-- matches every name. Neither patterns nor names hold wildcards of LIKE.
INSERT INTO delivery (merchant_account_id, endpoint_id, position, next_at, deadline, created_at)
SELECT e.merchant_account_id, w.id, e.position, @now::timestamptz, @deadline::timestamptz, @now
FROM feed_entry f JOIN event e USING (position)
JOIN webhook_endpoint w ON w.merchant_account_id = e.merchant_account_id
WHERE f.position > @after::bigint AND f.position <= @until::bigint AND e.position > @after
  AND e.position <= @until AND w.deleted_at IS NULL
  AND (e.position > w.created_position OR e.position = ANY (w.created_gaps))
  AND (coalesce(cardinality(w.event_names), 0) = 0
    OR EXISTS (SELECT FROM unnest(w.event_names) AS pattern WHERE e.name LIKE replace(pattern, '*', '%')))
  AND NOT (e.name IN ('webhook-endpoint.failing', 'webhook-endpoint.recovered', 'webhook-endpoint.disabled')
    AND e.target_id = w.id::text) AND w.updated_at < f.created_at - interval '1 minute'
  AND NOT EXISTS (SELECT FROM delivery d WHERE d.endpoint_id = w.id AND d.position = f.position)
ON CONFLICT (merchant_account_id, endpoint_id, position) DO NOTHING RETURNING position
