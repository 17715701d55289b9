-- Writes the next attempt of a parked notice that the caller still holds. Changes nothing when the notice has
-- ended, or when its review opened or ended since the claim. The notice is then due at once.
UPDATE inbound_review SET next_attempt_at = @nextAttemptAt::timestamptz
WHERE merchant_account_id = @account::text AND id = @id::uuid AND state = 'parked'
  AND next_attempt_at = @held::timestamptz
