-- $1 account, $2 id, $3 service, $4 eventKey, $5 key, $6 reference, $7 notice, $8 nextAttemptAt, $9 receivedAt
INSERT INTO inbound_review (merchant_account_id, id, anti_fraud_service_id, event_key, check_key, check_reference, notice,
  next_attempt_at, received_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (merchant_account_id, anti_fraud_service_id, event_key) DO NOTHING RETURNING id
