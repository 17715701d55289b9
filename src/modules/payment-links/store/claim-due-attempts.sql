-- Locks the open attempts that are due, in the order of their due times, up to the limit. Leases the attempts
-- to the caller until @lookAt. Skips attempts that another process has locked.
UPDATE payment_link_attempt a SET look_at = @lookAt::timestamptz
FROM (
  SELECT d.merchant_account_id, d.payment_link_id, d.id FROM payment_link_attempt d
  WHERE d.ended_at IS NULL AND d.look_at <= @now::timestamptz
    AND d.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
  ORDER BY d.look_at LIMIT @limit::bigint FOR NO KEY UPDATE SKIP LOCKED) due
WHERE a.merchant_account_id = due.merchant_account_id AND a.payment_link_id = due.payment_link_id
  AND a.id = due.id
RETURNING a.merchant_account_id AS "merchantAccountId", a.payment_link_id AS "paymentLinkId", a.id,
  a.created_at AS "createdAt", a.look_at AS "lookAt"
