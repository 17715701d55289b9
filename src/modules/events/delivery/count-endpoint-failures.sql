-- Counts the failing webhook endpoints of all merchant accounts, up to @limit, by their newest failure. Takes
-- it from the 100 failed attempts for the latest events, because a retry may be for an earlier event.
-- Disabled and deleted endpoints do not count. Reads since when the first endpoint fails. Locks nothing.
SELECT coalesce(a.error, 'status ' || a.status_code, 'no attempt') AS state, count(*)::int AS count,
  min(e.failing_since) AS oldest
FROM (
  SELECT merchant_account_id, id, failing_since FROM webhook_endpoint
  WHERE failing_since IS NOT NULL AND deleted_at IS NULL AND state <> 'disabled' LIMIT @limit::int) e
LEFT JOIN LATERAL (
  SELECT error, status_code FROM (
    SELECT error, status_code, started_at, position, number FROM delivery_attempt
    WHERE merchant_account_id = e.merchant_account_id AND endpoint_id = e.id
      AND (error IS NOT NULL OR status_code NOT BETWEEN 200 AND 299)
    ORDER BY position DESC, number DESC LIMIT 100) latest
  ORDER BY started_at DESC, position DESC, number DESC LIMIT 1) a ON true
GROUP BY 1
