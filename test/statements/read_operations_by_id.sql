-- $1 account, $2 ids
SELECT row_to_json(o) AS operation FROM operation o
WHERE o.merchant_account_id = $1 AND o.id = ANY($2::uuid[])
