-- Reads the public keys of all active key pairs that have not expired, oldest first. The list has no bound.
SELECT thumbprint, algorithm, public_key AS jwk FROM api_key_pair
WHERE active AND (expires_at IS NULL OR expires_at > @now::timestamptz)
ORDER BY id
