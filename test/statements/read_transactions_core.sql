-- $1 account, $2 ids
SELECT t.id, t.status, t.amount, t.currency, t.payment_service_id, t.created_at FROM transaction t
WHERE t.merchant_account_id = $1 AND t.id = ANY ((SELECT $2::uuid[])::uuid[])
