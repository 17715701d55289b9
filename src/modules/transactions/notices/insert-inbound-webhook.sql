-- Adds a provider's webhook, which the loop claims at its next attempt. Answers no row when the provider
-- sent the webhook before. The column `waits_since` stays null for a webhook that has waited since its
-- receipt.
INSERT INTO inbound_webhook (merchant_account_id, id, payment_service_id, event_key, operation_id,
  provider_reference, notice, sealed_token, next_attempt_at, turn_until, received_at, waits_since)
VALUES (@account::text, @id::uuid, @service::uuid, @eventKey::text, @key::uuid, @reference::text,
  @notice::jsonb, @sealedToken::text, @nextAttemptAt::timestamptz, @turnUntil::timestamptz,
  @receivedAt::timestamptz, nullif(@waitsSince::timestamptz, @receivedAt))
ON CONFLICT (merchant_account_id, payment_service_id, event_key) DO NOTHING RETURNING id
