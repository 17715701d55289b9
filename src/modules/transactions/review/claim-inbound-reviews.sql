-- Locks the due parked notices of every merchant account, at most @limit, and writes their leases. Answers
-- the notices by their receipt. SKIP LOCKED leaves out notices that another process claims, applies or ends.
-- - The lease is the next attempt, so another process claims the notice when the lease ends.
-- - `claimed` is there because RETURNING has no order.
WITH due AS (
  SELECT merchant_account_id, id FROM inbound_review
  WHERE state = 'parked' AND next_attempt_at <= @now::timestamptz
    AND merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
  ORDER BY next_attempt_at LIMIT @limit::bigint FOR UPDATE SKIP LOCKED),
claimed AS (
  UPDATE inbound_review w SET next_attempt_at = @leaseUntil::timestamptz FROM due d
  WHERE w.merchant_account_id = d.merchant_account_id AND w.id = d.id
  RETURNING w.merchant_account_id AS "merchantAccountId", w.id, w.notice, w.received_at AS "receivedAt",
    w.anti_fraud_service_id AS "antiFraudServiceId", w.next_attempt_at AS "leaseUntil")
SELECT * FROM claimed
ORDER BY "receivedAt", id
