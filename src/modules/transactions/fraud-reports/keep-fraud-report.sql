-- Writes the place of an anti-fraud service, its failures since then, and its next attempt. Writes nothing
-- and answers no row when the caller has lost the lease.
UPDATE anti_fraud_report SET sequence = @sequence::bigint, attempts = @attempts::int,
  next_attempt_at = @nextAttemptAt::timestamptz
WHERE merchant_account_id = @account::text AND anti_fraud_service_id = @service::uuid
  AND next_attempt_at = @held::timestamptz
RETURNING anti_fraud_service_id
