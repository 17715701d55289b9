-- $1 tellAt, $2 account, $3 id, $4 leaseUntil
UPDATE settlement SET tell_at = $1
WHERE merchant_account_id = $2 AND id = $3 AND tell_at = $4
