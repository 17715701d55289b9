-- $1 status, $2 failureReason, $3 failures, $4 nextAt, $5 endedAt, $6 expiresAt, $7 position, $8 rows, $9 content, $10 pieces, $11 merchantAccountId, $12 id, $13 lease
WITH changed AS (
  UPDATE export SET status = coalesce($1::text, status), failure_reason = $2::text, failures = $3::int,
    next_at = $4::timestamptz, ended_at = $5::timestamptz, expires_at = $6::timestamptz, lease = NULL,
    filter = CASE WHEN $1::text IS NULL THEN filter END, position = coalesce($7::text, position),
    rows_written = rows_written + $8::int, bytes = bytes + length($9::bytea), chunks = chunks + $10::int
  WHERE merchant_account_id = $11::text AND id = $12::uuid AND lease = $13::uuid AND status = 'running'
  RETURNING merchant_account_id, id, chunks),
added AS (
  INSERT INTO export_chunk (merchant_account_id, export_id, number, content)
  SELECT c.merchant_account_id, c.id, c.chunks - $10::int + n,
    substring($9::bytea FROM (n - 1) * 65536 + 1 FOR 65536)
  FROM changed c, generate_series(1, $10::int) n)
SELECT count(*)::int AS count FROM changed
