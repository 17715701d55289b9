-- Adds a sweep that is due now for each payment service of @definitions that has none. Changes nothing for a
-- deleted payment service. ON CONFLICT covers another process that adds the same sweep.
INSERT INTO books_sweep (merchant_account_id, payment_service_id, places, next_at)
SELECT s.merchant_account_id, s.id, @places::jsonb, @now::timestamptz FROM payment_service s
WHERE s.deleted_at IS NULL AND s.definition_id = ANY (@definitions::text[])
  AND s.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
  AND NOT EXISTS (
    SELECT FROM books_sweep b
    WHERE b.merchant_account_id = s.merchant_account_id AND b.payment_service_id = s.id)
ON CONFLICT DO NOTHING
