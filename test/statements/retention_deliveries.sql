-- $1 account, $2 positions
DELETE FROM delivery WHERE merchant_account_id = $1 AND position = ANY ($2::bigint[])
AND state NOT IN ('pending', 'leased')
