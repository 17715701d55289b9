-- $1 account, $2 ids
SELECT t.id, t.status, t.amount, t.currency, t.payment_service_id, t.created_at, t.country, t.captured_amount, t.refunded_amount, t.external_identifier, t.method FROM transaction t
WHERE t.merchant_account_id = $1 AND t.id = ANY ((SELECT $2::uuid[])::uuid[])
