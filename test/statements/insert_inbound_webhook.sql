-- $1 account, $2 id, $3 service, $4 eventKey, $5 key, $6 reference, $7 notice, $8 sealedToken, $9 nextAttemptAt, $10 turnUntil, $11 receivedAt, $12 waitsSince
INSERT INTO inbound_webhook (merchant_account_id, id, payment_service_id, event_key, operation_id, provider_reference,
  notice, sealed_token, next_attempt_at, turn_until, received_at, waits_since)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
  nullif($12::timestamptz, $11))
ON CONFLICT (merchant_account_id, payment_service_id, event_key) DO NOTHING RETURNING id
