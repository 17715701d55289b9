-- Adds a decision on a review, with the lease of the caller as its next attempt. Answers no row when the
-- anti-fraud service sent the notice before.
INSERT INTO inbound_review (merchant_account_id, id, anti_fraud_service_id, event_key, check_key,
  check_reference, notice, next_attempt_at, received_at)
VALUES (@account::text, @id::uuid, @service::uuid, @eventKey::text, @key::uuid, @reference::text,
  @notice::jsonb, @nextAttemptAt::timestamptz, @receivedAt::timestamptz)
ON CONFLICT (merchant_account_id, anti_fraud_service_id, event_key) DO NOTHING RETURNING id
