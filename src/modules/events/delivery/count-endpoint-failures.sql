-- Counts the failing webhook endpoints of all merchant accounts, up to @limit, by their latest failure. The
-- attempt for the newest event has it. Reads since when the first of them fails. Locks nothing.
SELECT coalesce(a.error, 'status ' || a.status_code, 'no attempt') AS state, count(*)::int AS count,
  min(e.failing_since) AS oldest
FROM (
  SELECT merchant_account_id, id, failing_since FROM webhook_endpoint
  WHERE failing_since IS NOT NULL LIMIT @limit::int) e
LEFT JOIN LATERAL (
  SELECT error, status_code FROM delivery_attempt
  WHERE merchant_account_id = e.merchant_account_id AND endpoint_id = e.id
  ORDER BY position DESC, number DESC LIMIT 1) a ON true
GROUP BY 1
