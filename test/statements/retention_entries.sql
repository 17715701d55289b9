-- $1 account, $2 positions
DELETE FROM feed_entry WHERE merchant_account_id = $1 AND position = ANY ($2::bigint[])
