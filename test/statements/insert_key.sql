-- $1 account, $2 operation, $3 key, $4 fingerprint, $5 digests, $6 resource, $7 now, $8 expiresAt
INSERT INTO idempotency_key (merchant_account_id, operation, key, fingerprint, digests, resource_id, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (merchant_account_id, operation, key) DO UPDATE
  SET fingerprint = excluded.fingerprint, digests = excluded.digests, result = NULL,
      resource_id = excluded.resource_id, created_at = excluded.created_at, expires_at = excluded.expires_at
  WHERE idempotency_key.expires_at <= $7
RETURNING key
