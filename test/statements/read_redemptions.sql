-- $1 account, $2 transactions
SELECT row_to_json(r) AS redemption FROM redemption r
WHERE r.merchant_account_id = $1 AND r.transaction_id = ANY ((SELECT $2::uuid[])::uuid[])
ORDER BY r.transaction_id, r.ordinal
