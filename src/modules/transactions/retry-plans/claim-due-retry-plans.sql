-- Locks due plans of all merchant accounts, at most @limit of them. Moves the look at each to the end of the
-- lease. The merchant accounts take turns. Answers the plans.
--
-- - `account` goes through the index merchant account by merchant account, so one account's queue is never
--   read as a whole.
-- - `due` looks up each chosen plan by its key. Under the lock, the look-up checks again that the plan is
--   due.
-- - SKIP LOCKED leaves out a plan that another process claims.
WITH RECURSIVE account (id) AS (
  (SELECT merchant_account_id FROM transaction_retry_plan WHERE status = 'active' ORDER BY 1 LIMIT 1)
  UNION ALL
  SELECT (
    SELECT p.merchant_account_id FROM transaction_retry_plan p
    WHERE p.status = 'active' AND p.merchant_account_id > a.id ORDER BY 1 LIMIT 1)
  FROM account a WHERE a.id IS NOT NULL),
waiting AS (
  SELECT w.*,
    row_number() OVER (PARTITION BY w.merchant_account_id ORDER BY w.next_look_at, w.transaction_id) AS turn
  FROM account a
  CROSS JOIN LATERAL (
    SELECT p.merchant_account_id, p.transaction_id, p.next_look_at FROM transaction_retry_plan p
    WHERE p.status = 'active' AND p.merchant_account_id = a.id AND p.next_look_at <= @now::timestamptz
    ORDER BY p.next_look_at LIMIT @limit::bigint) w
  WHERE w.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))),
chosen AS (
  SELECT merchant_account_id, transaction_id FROM waiting ORDER BY turn, next_look_at LIMIT @limit),
due AS (
  SELECT d.merchant_account_id, d.transaction_id FROM chosen c
  CROSS JOIN LATERAL (
    SELECT p.merchant_account_id, p.transaction_id FROM transaction_retry_plan p
    WHERE p.merchant_account_id = c.merchant_account_id AND p.transaction_id = c.transaction_id
      AND p.status = 'active' AND p.next_look_at <= @now
    LIMIT 1 FOR NO KEY UPDATE OF p SKIP LOCKED) d)
UPDATE transaction_retry_plan p SET next_look_at = @leaseUntil::timestamptz FROM due d
WHERE p.merchant_account_id = d.merchant_account_id AND p.transaction_id = d.transaction_id
RETURNING p.merchant_account_id AS "merchantAccountId", p.transaction_id AS "transactionId"
