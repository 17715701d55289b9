-- Writes the next attempt and the turn of a parked webhook. Changes nothing when the webhook has ended.
UPDATE inbound_webhook SET next_attempt_at = @nextAttemptAt::timestamptz, turn_until = @turnUntil::timestamptz
WHERE merchant_account_id = @account::text AND id = @id::uuid AND state = 'parked'
