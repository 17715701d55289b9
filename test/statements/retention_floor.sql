-- $1 last, $2 account
UPDATE feed_head SET floor = $1 WHERE merchant_account_id = $2 AND floor < $1
