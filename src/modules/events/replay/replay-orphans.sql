-- Cancels the running replay jobs of deleted endpoints. The deliveries that such a job queued are cancelled
-- with the endpoint.
UPDATE replay_job j SET state = 'cancelled', ended_at = @now::timestamptz, updated_at = @now
FROM webhook_endpoint w
WHERE j.state = 'running' AND w.merchant_account_id = j.merchant_account_id AND w.id = j.endpoint_id
  AND w.deleted_at IS NOT NULL
  AND j.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
