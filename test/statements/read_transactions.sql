-- $1 account, $2 ids
SELECT row_to_json(t) AS transaction FROM transaction t
WHERE t.merchant_account_id = $1 AND t.id = ANY($2::uuid[])
