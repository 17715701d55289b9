-- Adds the place of each anti-fraud service that takes reports and has none. Locks the due places of every
-- merchant account, at most @limit, whose feed goes on, and writes their leases. Answers them.
-- - A new place is the event of its service's creation, or the begin of the feed. The next claim finds it.
-- - The lease is the next attempt, so another process claims the place when the lease ends.
-- - SKIP LOCKED leaves out places that another process claims.
WITH begun AS (
  INSERT INTO anti_fraud_report (merchant_account_id, anti_fraud_service_id, sequence, next_attempt_at)
  SELECT s.merchant_account_id, s.id,
    coalesce(
      (
        SELECT f.sequence FROM event e
        JOIN feed_entry f ON f.merchant_account_id = e.merchant_account_id AND f.position = e.position
        WHERE e.merchant_account_id = s.merchant_account_id AND e.target_type = 'anti-fraud-service'
          AND e.target_id = s.id::text
        ORDER BY e.position LIMIT 1),
      (SELECT h.floor FROM feed_head h WHERE h.merchant_account_id = s.merchant_account_id), 0),
    @now::timestamptz
  FROM anti_fraud_service s
  WHERE s.definition_id = ANY (@definitions::text[]) AND s.deleted_at IS NULL
    AND s.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
    AND NOT EXISTS (
      SELECT FROM anti_fraud_report r
      WHERE r.merchant_account_id = s.merchant_account_id AND r.anti_fraud_service_id = s.id)
  ON CONFLICT DO NOTHING),
due AS (
  SELECT r.merchant_account_id, r.anti_fraud_service_id FROM anti_fraud_report r
  JOIN anti_fraud_service s ON s.merchant_account_id = r.merchant_account_id
    AND s.id = r.anti_fraud_service_id
  JOIN feed_head h ON h.merchant_account_id = r.merchant_account_id
  WHERE r.next_attempt_at <= @now AND h.sequence > r.sequence AND s.deleted_at IS NULL
    AND s.definition_id = ANY (@definitions)
    AND r.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
  ORDER BY r.next_attempt_at LIMIT @limit::bigint FOR UPDATE OF r SKIP LOCKED)
UPDATE anti_fraud_report r SET next_attempt_at = @leaseUntil::timestamptz FROM due d
WHERE r.merchant_account_id = d.merchant_account_id AND r.anti_fraud_service_id = d.anti_fraud_service_id
RETURNING r.merchant_account_id AS "merchantAccountId", r.anti_fraud_service_id AS "antiFraudServiceId",
  r.sequence, r.attempts, r.next_attempt_at AS "nextAttemptAt"
