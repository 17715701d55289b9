-- Inserts the key of a request, or replaces an expired record of the key. Waits for a database transaction
-- that inserts the same key. Answers no row, and changes nothing, when a live record has the key.
INSERT INTO idempotency_key (merchant_account_id, operation, key, fingerprint, digests, resource_id,
  created_at, expires_at)
VALUES (@account::text, @operation::text, @key::text, @fingerprint::text, @digests::text, @resource::text,
  @now::timestamptz, @expiresAt::timestamptz)
ON CONFLICT (merchant_account_id, operation, key) DO UPDATE SET fingerprint = excluded.fingerprint,
  digests = excluded.digests, result = NULL, resource_id = excluded.resource_id,
  created_at = excluded.created_at, expires_at = excluded.expires_at
WHERE idempotency_key.expires_at <= @now RETURNING key
