-- $1 now
SELECT thumbprint, algorithm, public_key AS jwk FROM api_key_pair
WHERE active AND (expires_at IS NULL OR expires_at > $1::timestamptz) ORDER BY id
