DROP INDEX CONCURRENTLY "idempotency_key_expires_at_idx";
