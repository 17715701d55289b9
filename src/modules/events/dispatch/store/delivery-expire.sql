-- Locks at most 1000 pending deliveries beyond their deadlines and expires them. Skips deliveries that
-- another process has locked. Answers a row for each expired one.
-- The comparison with '-infinity' fits the index by deadline alone. Deliveries expire here only while they
-- wait for a paused or disabled endpoint. The last attempt at any other endpoint is at the deadline, or later
-- after an outage of the service. A failure of that attempt expires the delivery.
-- The recursive `waiting` makes one index probe for each endpoint with pending deliveries. A `SELECT
-- DISTINCT` would read the whole queue. OFFSET 0 prevents a join of the endpoint's look-up with all
-- endpoints. The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
WITH RECURSIVE waiting AS (
  (SELECT merchant_account_id, endpoint_id, next_at FROM delivery WHERE state = 'pending'
   ORDER BY endpoint_id, next_at, position LIMIT 1)
  UNION ALL
  SELECT following.* FROM waiting
  CROSS JOIN LATERAL (
    SELECT merchant_account_id, endpoint_id, next_at FROM delivery
    WHERE state = 'pending' AND endpoint_id > waiting.endpoint_id
    ORDER BY endpoint_id, next_at, position LIMIT 1) following),
late AS MATERIALIZED (
  SELECT d.endpoint_id, d.position FROM waiting
  CROSS JOIN LATERAL (
    SELECT id FROM webhook_endpoint e
    WHERE e.merchant_account_id = waiting.merchant_account_id AND e.id = waiting.endpoint_id
      AND e.deleted_at IS NULL AND (e.pauses > 0 OR e.state = 'disabled')
      AND e.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
    OFFSET 0) w
  CROSS JOIN LATERAL (
    SELECT endpoint_id, position FROM delivery
    WHERE endpoint_id = w.id AND state = 'pending' AND deadline > '-infinity'
      AND deadline <= @now::timestamptz
    ORDER BY deadline LIMIT 1000 FOR NO KEY UPDATE SKIP LOCKED) d
  LIMIT 1000)
UPDATE delivery d SET state = 'expired', settled_at = @now FROM late
WHERE d.position = ANY (ARRAY[late.position]) AND d.endpoint_id = ANY (ARRAY[late.endpoint_id])
RETURNING d.position
