-- $1 account, $2 transaction
UPDATE transaction t SET disputed = true
WHERE t.merchant_account_id = $1 AND t.id = $2 AND NOT t.disputed
