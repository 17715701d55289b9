-- Locks due responses of every merchant account, at most @limit, writes their leases, and counts the
-- attempts. Leaves out responses beyond @perService requests under way at a payment service, so a silent
-- provider delays no other.
-- - The column `turn` numbers the due responses of a payment service, oldest first. Its requests under way
--   come before them. The lowest turns come first.
-- - The expression `due` repeats the conditions on the locked rows, because another process may claim a
--   response after the count.
-- - SKIP LOCKED leaves out responses that another process claims.
WITH waiting AS (
  SELECT r.merchant_account_id, r.id, r.next_attempt_at, d.payment_service_id,
    coalesce(b.sending, 0) + row_number()
      OVER (PARTITION BY d.payment_service_id ORDER BY r.next_attempt_at, r.id) AS turn
  FROM dispute_response r
  JOIN dispute d ON d.merchant_account_id = r.merchant_account_id AND d.id = r.dispute_id
  LEFT JOIN unnest(@services::uuid[], @sending::int[]) AS b (id, sending) ON b.id = d.payment_service_id
  WHERE r.status = 'pending' AND r.next_attempt_at <= @now::timestamptz
    AND r.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))),
chosen AS (
  SELECT * FROM waiting WHERE turn <= @perService::bigint
  ORDER BY turn, next_attempt_at LIMIT @limit::bigint),
due AS (
  SELECT r.merchant_account_id, r.id, c.payment_service_id FROM dispute_response r
  JOIN chosen c ON c.merchant_account_id = r.merchant_account_id AND c.id = r.id
  WHERE r.status = 'pending' AND r.next_attempt_at <= @now FOR UPDATE OF r SKIP LOCKED)
UPDATE dispute_response r SET next_attempt_at = @leaseUntil::timestamptz, attempts = r.attempts + 1 FROM due d
WHERE r.merchant_account_id = d.merchant_account_id AND r.id = d.id
RETURNING row_to_json(r) AS response, d.payment_service_id AS "paymentServiceId"
