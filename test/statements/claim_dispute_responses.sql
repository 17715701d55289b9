-- $1 now, $2 limit, $3 leaseUntil
WITH due AS (
  SELECT merchant_account_id, id FROM dispute_response WHERE status = 'pending' AND next_attempt_at <= $1
  ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED)
UPDATE dispute_response r SET next_attempt_at = $3, attempts = r.attempts + 1 FROM due d
WHERE r.merchant_account_id = d.merchant_account_id AND r.id = d.id
RETURNING row_to_json(r) AS response
