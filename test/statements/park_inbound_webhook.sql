-- $1 nextAttemptAt, $2 turnUntil, $3 account, $4 id
UPDATE inbound_webhook SET next_attempt_at = $1, turn_until = $2
WHERE merchant_account_id = $3 AND id = $4 AND state = 'parked'
