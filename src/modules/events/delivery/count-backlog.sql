-- Counts the waiting deliveries of all merchant accounts by the state of their endpoints. Reads the moment
-- of the oldest of each state. Locks nothing.
-- The walk goes along the index of due deliveries, from one endpoint with waiting deliveries to the next.
-- It ends after @endpoints endpoints, and the count of an endpoint at @limit. So the statement is short
-- whatever waits.
WITH RECURSIVE waiting AS (
  (SELECT endpoint_id, 1 AS number FROM delivery WHERE state = 'pending' ORDER BY endpoint_id LIMIT 1)
  UNION ALL
  SELECT next.endpoint_id, w.number + 1
  FROM waiting w
  CROSS JOIN LATERAL (
    SELECT d.endpoint_id FROM delivery d
    WHERE d.state = 'pending' AND d.endpoint_id > w.endpoint_id ORDER BY d.endpoint_id LIMIT 1) next
  WHERE w.number < @endpoints::int)
SELECT e.state, sum(backlog.count)::int AS count, min(oldest.created_at) AS oldest
FROM waiting w
CROSS JOIN LATERAL (
  SELECT count(*) AS count
  FROM (
    SELECT 1 FROM delivery d
    WHERE d.endpoint_id = w.endpoint_id AND d.state = 'pending' LIMIT @limit::int) one) backlog
CROSS JOIN LATERAL (
  SELECT d.merchant_account_id, d.created_at FROM delivery d
  WHERE d.endpoint_id = w.endpoint_id AND d.state = 'pending' ORDER BY d.position LIMIT 1) oldest
CROSS JOIN LATERAL (
  SELECT state FROM webhook_endpoint
  WHERE merchant_account_id = oldest.merchant_account_id AND id = w.endpoint_id) e
GROUP BY e.state
