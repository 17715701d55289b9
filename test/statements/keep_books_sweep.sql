-- $1 places, $2 nextAt, $3 account, $4 service
UPDATE books_sweep SET places = $1::jsonb, next_at = $2
WHERE merchant_account_id = $3 AND payment_service_id = $4
