-- $1 tokenDigest
SELECT to_jsonb(l) - 'token_digest' - 'sealed_token' || jsonb_build_object('status', CASE WHEN l.status = 'active' AND l.expires_at <= statement_timestamp() THEN 'expired' ELSE l.status END) AS link FROM payment_link l WHERE l.token_digest = $1
