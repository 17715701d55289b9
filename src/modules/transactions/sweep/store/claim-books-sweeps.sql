-- Locks the due sweeps of every merchant account, oldest first, at most @limit, and writes their leases. The
-- lease is the next start. SKIP LOCKED leaves out sweeps that another process claims. Leaves out deleted
-- payment services, and definitions beside @definitions.
WITH due AS (
  SELECT b.merchant_account_id, b.payment_service_id FROM books_sweep b
  JOIN payment_service s ON s.merchant_account_id = b.merchant_account_id AND s.id = b.payment_service_id
  WHERE b.next_at <= @now::timestamptz AND s.deleted_at IS NULL
    AND s.definition_id = ANY (@definitions::text[])
    AND b.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
  ORDER BY b.next_at LIMIT @limit::bigint FOR NO KEY UPDATE OF b SKIP LOCKED)
UPDATE books_sweep b SET next_at = @leaseUntil::timestamptz FROM due d
WHERE b.merchant_account_id = d.merchant_account_id AND b.payment_service_id = d.payment_service_id
RETURNING b.merchant_account_id AS "merchantAccountId", b.payment_service_id AS "paymentServiceId", b.places,
  b.proof
