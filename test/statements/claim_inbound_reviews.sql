-- $1 now, $2 limit, $3 leaseUntil
WITH due AS (
  SELECT merchant_account_id, id FROM inbound_review WHERE state = 'parked' AND next_attempt_at <= $1
  ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED)
UPDATE inbound_review r SET next_attempt_at = $3 FROM due d
WHERE r.merchant_account_id = d.merchant_account_id AND r.id = d.id
RETURNING r.merchant_account_id AS "merchantAccountId", r.id, r.anti_fraud_service_id AS "antiFraudServiceId", r.notice,
  r.received_at AS "receivedAt", r.next_attempt_at AS "leaseUntil"
