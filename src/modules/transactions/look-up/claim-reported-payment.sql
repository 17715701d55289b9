-- Writes the lease of a look-up of a reported payment, and the time at which the loop asks next. Answers and
-- writes nothing when nobody reported the payment, or another look-up has a lease.
UPDATE reported_payment SET leased_until = @leaseUntil::timestamptz, next_at = @laterAt::timestamptz
WHERE merchant_account_id = @account::text AND payment_service_id = @service::uuid
  AND reference = @reference::text AND (leased_until IS NULL OR leased_until <= @now::timestamptz)
RETURNING merchant_account_id AS "merchantAccountId", payment_service_id AS "paymentServiceId", reference,
  reports, tries
