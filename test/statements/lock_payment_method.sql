-- $1 account, $2 id
SELECT id FROM payment_method WHERE merchant_account_id = $1 AND id = $2::uuid FOR NO KEY UPDATE
