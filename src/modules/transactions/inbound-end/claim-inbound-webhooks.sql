-- Locks the due parked webhooks of every merchant account, at most @limit, and writes their leases. Answers
-- the webhooks by their receipt. SKIP LOCKED leaves out webhooks that another process claims, applies or
-- ends.
-- - The lease is the next attempt, so another process claims the webhook when the lease ends.
-- - `waits_since` is null for a webhook that has waited since its receipt.
-- - `claimed` is there because RETURNING has no order.
WITH due AS (
  SELECT merchant_account_id, id FROM inbound_webhook
  WHERE state = 'parked' AND next_attempt_at <= @now::timestamptz
    AND merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
  ORDER BY next_attempt_at LIMIT @limit::bigint FOR UPDATE SKIP LOCKED),
claimed AS (
  UPDATE inbound_webhook w SET next_attempt_at = @leaseUntil::timestamptz FROM due d
  WHERE w.merchant_account_id = d.merchant_account_id AND w.id = d.id
  RETURNING w.merchant_account_id AS "merchantAccountId", w.id, w.notice, w.received_at AS "receivedAt",
    w.payment_service_id AS "paymentServiceId", w.sealed_token AS "sealedToken",
    coalesce(w.waits_since, w.received_at) AS "waitsSince")
SELECT * FROM claimed
ORDER BY "receivedAt", id
