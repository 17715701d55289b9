-- $1 places, $2 now, $3 definitions
INSERT INTO books_sweep (merchant_account_id, payment_service_id, places, next_at)
SELECT s.merchant_account_id, s.id, $1::jsonb, $2 FROM payment_service s
WHERE s.deleted_at IS NULL AND s.definition_id = ANY ($3::text[]) AND NOT EXISTS (
  SELECT FROM books_sweep b WHERE b.merchant_account_id = s.merchant_account_id AND b.payment_service_id = s.id)
ON CONFLICT DO NOTHING
