-- Locks the reported payments that are due, of every merchant account, oldest first, at most @limit. Writes
-- the leases of their look-ups, and the time at which the loop asks next. SKIP LOCKED leaves out payments
-- that another process claims. Leaves out the payment services in @busy.
WITH due AS (
  SELECT r.merchant_account_id, r.payment_service_id, r.reference FROM reported_payment r
  WHERE r.next_at <= @now::timestamptz AND (r.leased_until IS NULL OR r.leased_until <= @now)
    AND r.payment_service_id <> ALL (@busy::uuid[])
    AND r.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
  ORDER BY r.next_at LIMIT @limit::bigint FOR NO KEY UPDATE OF r SKIP LOCKED)
UPDATE reported_payment r SET leased_until = @leaseUntil::timestamptz, next_at = @laterAt::timestamptz
FROM due d
WHERE r.merchant_account_id = d.merchant_account_id AND r.payment_service_id = d.payment_service_id
  AND r.reference = d.reference
RETURNING r.merchant_account_id AS "merchantAccountId", r.payment_service_id AS "paymentServiceId",
  r.reference, r.reports, r.tries
