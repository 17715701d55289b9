-- $1 now
UPDATE replay_job j SET state = 'cancelled', ended_at = $1, updated_at = $1 FROM webhook_endpoint w
WHERE j.state = 'running' AND w.merchant_account_id = j.merchant_account_id AND w.id = j.endpoint_id
  AND w.deleted_at IS NOT NULL
