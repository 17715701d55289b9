-- $1 account, $2 positions
DELETE FROM event WHERE merchant_account_id = $1 AND position = ANY ($2::bigint[])
