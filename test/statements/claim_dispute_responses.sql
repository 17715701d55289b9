-- $1 services, $2 sending, $3 now, $4 perService, $5 limit, $6 leaseUntil
WITH waiting AS (
  SELECT r.merchant_account_id, r.id, r.next_attempt_at, d.payment_service_id, coalesce(b.sending, 0)
    + row_number() OVER (PARTITION BY d.payment_service_id ORDER BY r.next_attempt_at, r.id) AS turn
  FROM dispute_response r
  JOIN dispute d ON d.merchant_account_id = r.merchant_account_id AND d.id = r.dispute_id
  LEFT JOIN unnest($1::uuid[], $2::int[]) AS b (id, sending) ON b.id = d.payment_service_id
  WHERE r.status = 'pending' AND r.next_attempt_at <= $3),
chosen AS (
  SELECT * FROM waiting WHERE turn <= $4 ORDER BY turn, next_attempt_at LIMIT $5),
due AS (
  SELECT r.merchant_account_id, r.id, c.payment_service_id FROM dispute_response r
  JOIN chosen c ON c.merchant_account_id = r.merchant_account_id AND c.id = r.id
  WHERE r.status = 'pending' AND r.next_attempt_at <= $3 FOR UPDATE OF r SKIP LOCKED)
UPDATE dispute_response r SET next_attempt_at = $6, attempts = r.attempts + 1 FROM due d
WHERE r.merchant_account_id = d.merchant_account_id AND r.id = d.id
RETURNING row_to_json(r) AS response, d.payment_service_id AS "paymentServiceId"
