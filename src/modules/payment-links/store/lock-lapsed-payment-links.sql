-- Locks and reads links beyond their expiry with the status `active`, oldest expiry first, up to the limit.
-- Skips links that another process has locked. Leaves out the columns of the token.
SELECT to_jsonb(l) - 'token_digest' - 'sealed_token' AS link FROM payment_link l
WHERE l.status = 'active' AND l.expires_at <= statement_timestamp()
  AND l.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
ORDER BY l.expires_at LIMIT @limit::int FOR NO KEY UPDATE SKIP LOCKED
