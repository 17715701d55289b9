-- $1 account, $2 ids
SELECT row_to_json(s) AS service FROM payment_service s
WHERE s.merchant_account_id = $1 AND s.id = ANY ((SELECT $2::uuid[])::uuid[])
