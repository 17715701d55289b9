-- Writes how far a sweep has come, and when the sweep goes on. Changes nothing when the payment service has
-- no sweep. The same holds if another process has claimed the sweep, because the lease is not @lease then.
UPDATE books_sweep SET places = @places::jsonb, proof = @proof::jsonb, next_at = @nextAt::timestamptz
WHERE merchant_account_id = @account::text AND payment_service_id = @service::uuid
  AND next_at = @lease::timestamptz
