-- $1 account, $2 operation, $3 key, $4 limit, $5 now
WITH step AS (
  SELECT merchant_account_id, operation, key, expires_at FROM idempotency_key
  WHERE (merchant_account_id, operation, key) > ($1, $2, $3)
  ORDER BY merchant_account_id, operation, key LIMIT $4),
removed AS (
  DELETE FROM idempotency_key k USING step s
  WHERE s.expires_at <= $5 AND k.merchant_account_id = s.merchant_account_id AND k.operation = s.operation
    AND k.key = s.key AND k.expires_at <= $5
  RETURNING 1)
SELECT s.merchant_account_id AS account, s.operation, s.key, (SELECT count(*)::int FROM removed) AS removed
FROM step s ORDER BY s.merchant_account_id DESC, s.operation DESC, s.key DESC LIMIT 1
