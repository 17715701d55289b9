-- Deletes the expired records among the next @limit records behind a place. Answers the last of these
-- records, and no row at the end of the table.
-- - The step walks the primary key, and reads a bounded number of records whatever their expiry.
-- - The deletion checks the expiry again, because a request may renew the record after the step has read its
--   row.
WITH step AS (
  SELECT merchant_account_id, operation, key, expires_at FROM idempotency_key
  WHERE (merchant_account_id, operation, key) > (@account::text, @operation::text, @key::text)
  ORDER BY merchant_account_id, operation, key LIMIT @limit::bigint),
removed AS (
  DELETE FROM idempotency_key k
  USING step s
  WHERE s.expires_at <= @now::timestamptz AND k.merchant_account_id = s.merchant_account_id
    AND k.operation = s.operation AND k.key = s.key AND k.expires_at <= @now
    AND k.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
  RETURNING 1)
SELECT s.merchant_account_id AS account, s.operation, s.key, (SELECT count(*)::int FROM removed) AS removed
FROM step s
ORDER BY s.merchant_account_id DESC, s.operation DESC, s.key DESC LIMIT 1
