-- $1 now, $2 limit, $3 leaseUntil
WITH due AS (
    SELECT merchant_account_id, id FROM inbound_webhook WHERE state = 'parked' AND next_attempt_at <= $1
    ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED),
  claimed AS (
    UPDATE inbound_webhook w SET next_attempt_at = $3 FROM due d
    WHERE w.merchant_account_id = d.merchant_account_id AND w.id = d.id
    RETURNING w.merchant_account_id AS "merchantAccountId", w.id, w.notice, w.received_at AS "receivedAt",
      w.payment_service_id AS "paymentServiceId", w.sealed_token AS "sealedToken",
coalesce(w.waits_since, w.received_at) AS "waitsSince")
  SELECT * FROM claimed ORDER BY "receivedAt", id
