-- Adds the place of each anti-fraud service that takes reports and has none. Locks the due places of every
-- merchant account, at most @limit, whose feed goes on, and writes their leases. Answers them.
-- - A new place is the event of its service's creation, or the begin of the feed without that event. As long
--   as the event waits for the relay, its service gets no place. The next claim finds the new place.
-- - The lease is the next attempt, so another process claims the place when the lease ends.
-- - Events up to the floor are removed. A place before the floor answers the floor, and how many it missed.
-- - SKIP LOCKED leaves out places that another process claims.
WITH begun AS (
  INSERT INTO anti_fraud_report (merchant_account_id, anti_fraud_service_id, sequence, next_attempt_at)
  SELECT s.merchant_account_id, s.id, coalesce(c.sequence, h.floor, 0), @now::timestamptz
  FROM anti_fraud_service s
  LEFT JOIN feed_head h ON h.merchant_account_id = s.merchant_account_id
  LEFT JOIN LATERAL (
    SELECT f.sequence,
      f.sequence IS NULL AND (e.position > l.position OR e.position <@ (l.missing + l.young)) AS waits
    FROM event e
    JOIN log_cursor l ON l.name = 'feed'
    LEFT JOIN feed_entry f ON f.merchant_account_id = e.merchant_account_id AND f.position = e.position
    WHERE e.merchant_account_id = s.merchant_account_id AND e.target_type = 'anti-fraud-service'
      AND e.target_id = s.id::text AND e.name = 'anti-fraud-service.created'
    ORDER BY e.position LIMIT 1) c ON TRUE
  WHERE s.definition_id = ANY (@definitions::text[]) AND s.deleted_at IS NULL AND c.waits IS NOT TRUE
    AND s.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
    AND NOT EXISTS (
      SELECT FROM anti_fraud_report r
      WHERE r.merchant_account_id = s.merchant_account_id AND r.anti_fraud_service_id = s.id)
  ON CONFLICT DO NOTHING),
due AS (
  SELECT r.merchant_account_id, r.anti_fraud_service_id, greatest(r.sequence, h.floor) AS sequence,
    greatest(h.floor - r.sequence, 0) AS missed
  FROM anti_fraud_report r
  JOIN anti_fraud_service s ON s.merchant_account_id = r.merchant_account_id
    AND s.id = r.anti_fraud_service_id
  JOIN feed_head h ON h.merchant_account_id = r.merchant_account_id
  WHERE r.next_attempt_at <= @now AND h.sequence > greatest(r.sequence, h.floor) AND s.deleted_at IS NULL
    AND s.definition_id = ANY (@definitions)
    AND r.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
  ORDER BY r.next_attempt_at LIMIT @limit::bigint FOR UPDATE OF r SKIP LOCKED)
UPDATE anti_fraud_report r SET next_attempt_at = @leaseUntil::timestamptz, sequence = d.sequence FROM due d
WHERE r.merchant_account_id = d.merchant_account_id AND r.anti_fraud_service_id = d.anti_fraud_service_id
RETURNING r.merchant_account_id AS "merchantAccountId", r.anti_fraud_service_id AS "antiFraudServiceId",
  r.sequence, d.missed, r.attempts, r.next_attempt_at AS "nextAttemptAt"
