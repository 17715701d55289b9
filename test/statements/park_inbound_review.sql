-- $1 nextAttemptAt, $2 account, $3 id, $4 held
UPDATE inbound_review SET next_attempt_at = $1
WHERE merchant_account_id = $2 AND id = $3 AND state = 'parked' AND next_attempt_at = $4
