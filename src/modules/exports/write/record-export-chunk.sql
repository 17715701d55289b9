-- Adds the pieces of a chunk to the file. Writes the counts and the position, and ends the lease. Changes
-- nothing, and answers 0, when another process has the lease or the export has ended.
-- The text goes to Postgres as it is. Prisma would send the text as letters, and keep hundreds of megabytes
-- of them. The lock of the row lets one process write at a time. The end forgets the filter, because the
-- filter may name a buyer.
WITH changed AS (
  UPDATE export SET status = coalesce(@status::text, status), failure_reason = @failureReason::text,
    failures = @failures::int, next_at = @nextAt::timestamptz, ended_at = @endedAt::timestamptz,
    expires_at = @expiresAt::timestamptz, lease = NULL,
    filter = CASE WHEN @status::text IS NULL THEN filter END, position = coalesce(@position::text, position),
    rows_written = rows_written + @rows::int, bytes = bytes + length(@content::bytea),
    chunks = chunks + @pieces::int
  WHERE merchant_account_id = @merchantAccountId::text AND id = @id::uuid AND lease = @lease::uuid
    AND status = 'running'
  RETURNING merchant_account_id, id, chunks),
added AS (
  INSERT INTO export_chunk (merchant_account_id, export_id, number, content)
  SELECT c.merchant_account_id, c.id, c.chunks - @pieces::int + n,
    substring(@content::bytea FROM (n - 1) * 65536 + 1 FOR 65536)
  FROM changed c, generate_series(1, @pieces::int) n)
SELECT count(*)::int AS count FROM changed
