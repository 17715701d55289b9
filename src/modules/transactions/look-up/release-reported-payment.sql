-- Ends the lease of a look-up, and keeps the reported payment. A webhook that came during the look-up keeps
-- its time of the next question. Changes nothing when another process has the lease.
UPDATE reported_payment SET leased_until = NULL, tries = @tries::int,
  next_at = CASE WHEN reports = @reports::int THEN @nextAt::timestamptz ELSE next_at END
WHERE merchant_account_id = @account::text AND payment_service_id = @service::uuid
  AND reference = @reference::text AND leased_until = @lease::timestamptz
