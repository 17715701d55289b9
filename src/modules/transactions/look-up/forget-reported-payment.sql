-- Removes a reported payment after an answer of its provider. Answers and removes nothing in these cases:
-- - A webhook came during the look-up, because the answer may be from before its news.
-- - Another process has the lease, because the lease of this look-up has ended.
DELETE FROM reported_payment
WHERE merchant_account_id = @account::text AND payment_service_id = @service::uuid
  AND reference = @reference::text AND leased_until = @lease::timestamptz AND reports = @reports::int
RETURNING true AS "isForgotten"
