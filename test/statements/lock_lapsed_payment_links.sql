-- $1 limit
SELECT to_jsonb(l) - 'token_digest' - 'sealed_token' AS link FROM payment_link l
WHERE l.status = 'active' AND l.expires_at <= statement_timestamp()
ORDER BY l.expires_at LIMIT $1::int FOR NO KEY UPDATE SKIP LOCKED
