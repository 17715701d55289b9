-- $1 now, $2 definitions, $3 limit, $4 leaseUntil
WITH due AS (
  SELECT b.merchant_account_id, b.payment_service_id FROM books_sweep b
  JOIN payment_service s ON s.merchant_account_id = b.merchant_account_id AND s.id = b.payment_service_id
  WHERE b.next_at <= $1 AND s.deleted_at IS NULL AND s.definition_id = ANY ($2::text[])
  ORDER BY b.next_at LIMIT $3 FOR NO KEY UPDATE OF b SKIP LOCKED)
UPDATE books_sweep b SET next_at = $4 FROM due d
WHERE b.merchant_account_id = d.merchant_account_id AND b.payment_service_id = d.payment_service_id
RETURNING b.merchant_account_id AS "merchantAccountId", b.payment_service_id AS "paymentServiceId", b.places
